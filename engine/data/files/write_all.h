// All bytes of a text into an open file, in as many writes as the system wants.
//
// Thread-safe for files of one's own.
#pragma once

#include <cstddef>

namespace hogwild {

/// Whether all were written, to what does not block too; `errno` says why not. A file that takes no more bytes is a full disk (ENOSPC).
bool write_all(int file, const void* bytes, std::size_t size);

} // namespace hogwild
