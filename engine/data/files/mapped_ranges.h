// Which file lies mapped at an address: for whoever is told that a page of it is gone (SIGBUS).
//
// Thread-safety: any thread. path_mapped_at is safe in a signal handler. So many files at once are known; of others nothing is said.
#pragma once

#include <cstddef>

namespace hogwild {

constexpr std::size_t kMostMappedRanges = 64;

void note_mapped(const void* begin, std::size_t size, const char* path);

/// To be called before the range is unmapped. One that is not known is left alone.
void forget_mapped(const void* begin);

/// The path of the file that lies there, cut where it is long; null where no known file does.
const char* path_mapped_at(const void* address);

} // namespace hogwild
