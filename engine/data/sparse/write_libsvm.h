// Writes samples as LIBSVM text that reads back to the same bits.
//
// One line per sample, `label index:value ...`. Indices are 1-based, numbers in the shortest decimal form that rounds
// to the same float. A label of +1 is written `+1`. The dimension is not part of the format: a reader sees the largest
// index that occurs.
#pragma once

#include "kernels/views/sparse_view.h"

#include <cstdint>
#include <string>

namespace hogwild {

/// Text of rows [begin, end).
std::string libsvm_text(SparseView view, std::uint64_t begin, std::uint64_t end);

/// Writes all rows to `path`, as NamedFile does (engine/data/files/named_file.h): a reader of a regular file never sees half
/// of it. Throws Error with Failure::kDisk when the text cannot be written.
void write_libsvm(SparseView view, const std::string& path);

} // namespace hogwild
