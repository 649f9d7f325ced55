// XXH3 (64 bits) of bytes: tells contents apart, not attackers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hogwild {

std::uint64_t content_hash(const void* bytes, std::size_t size);

inline std::uint64_t content_hash(std::string_view text) { return content_hash(text.data(), text.size()); }

} // namespace hogwild
