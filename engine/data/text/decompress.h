// Compressed bytes as a stream of text: gzip, bzip2, xz and zstd by their own libraries, recognised by their first
// bytes.
//
// Concatenated members, streams and frames read as one text, as the command line tools have it. Errors: Error that
// names the file and what its library said (truncated, corrupt, needs too much memory).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace hogwild {

enum class Compression { kNone, kGzip, kBzip2, kXz, kZstd };

/// By the magic number alone: a file's name may lie.
Compression detect_compression(std::string_view stored);

/// Fills the front of a buffer and returns how many bytes it wrote; 0 only at the end of the text. Not thread-safe.
using ByteReader = std::function<std::size_t(std::span<char>)>;

/// Reads what `stored` holds; `name` is for messages. `stored` outlives the reader. `compression` is not kNone.
ByteReader open_compressed(Compression compression, std::string_view stored, const std::string& name);

} // namespace hogwild
