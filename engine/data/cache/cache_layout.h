// The bytes of a cache file: where each section lies, and what the header says.
#pragma once

#include "kernels/views/sparse_view.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

struct CacheHeader {
    static constexpr std::array<char, 8> kMagic = {'H', 'O', 'G', 'W', 'I', 'L', 'D', 'C'};
    static constexpr std::uint32_t kByteOrder = 0x01020304; // reads 0x04030201 on a machine of the other order
    static constexpr std::uint32_t kVersion = 1;            // of this layout

    std::array<char, 8> magic = kMagic;
    std::uint32_t byte_order = kByteOrder;
    std::uint32_t version = kVersion;
    std::uint64_t content_hash = 0; // XXH3 of the source
    std::uint64_t rows = 0;
    std::uint64_t nonzeros = 0;
    std::uint64_t columns = 0;
    std::uint64_t checksums_hash = 0; // XXH3 of the chunk checksums
    std::uint64_t header_hash = 0;    // XXH3 of everything before
};
static_assert(sizeof(CacheHeader) == 64);

/// A piece of one section, the unit of copying and of verification.
struct CacheChunk {
    std::uint64_t offset = 0; // in the file
    std::uint64_t bytes = 0;
    unsigned section = 0;     // 0 offsets, 1 indices, 2 values, 3 labels
    std::uint64_t within = 0; // in the section
};

/// Section positions for given sizes.
struct CacheLayout {
    static constexpr std::uint64_t kAlignment = 64;
    static constexpr std::uint64_t kChunkBytes = std::uint64_t{4} << 20;

    CacheLayout(std::uint64_t rows, std::uint64_t nonzeros);

    std::array<std::uint64_t, 4> begin{};
    std::array<std::uint64_t, 4> bytes{};
    std::uint64_t checksums_begin = 0;
    std::uint64_t file_bytes = 0;
    std::vector<CacheChunk> chunks;
};

/// Why `size` bytes that begin with `header` are not the cache of `content_hash`; empty when they are. Verifies the
/// header and the chunk checksums at `data`, not the sections.
std::string cache_refusal(const std::byte* data, std::uint64_t size, std::uint64_t content_hash);

} // namespace hogwild
