// XXH3 (64 bits) of bytes: tells contents apart, not attackers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace hogwild {

std::uint64_t content_hash(const void* bytes, std::size_t size);

inline std::uint64_t content_hash(std::string_view text) { return content_hash(text.data(), text.size()); }

/// The same, piece by piece: `done` is told of each when it has been read.
std::uint64_t content_hash(std::string_view text, const std::function<void(std::string_view)>& done);

} // namespace hogwild
