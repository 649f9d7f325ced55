#include "engine/data/cache/cache_layout.h"

#include "engine/machine/content_hash.h"

#include <cstring>
#include <limits>

namespace hogwild {

CacheLayout::CacheLayout(std::uint64_t rows, std::uint64_t nonzeros) {
    bytes = {8 * (rows + 1), 4 * nonzeros, 4 * nonzeros, 4 * rows};
    std::uint64_t position = sizeof(CacheHeader);
    auto align = [&] { position = (position + kAlignment - 1) / kAlignment * kAlignment; };
    for (unsigned section = 0; section < 4; ++section) {
        align();
        begin[section] = position;
        for (std::uint64_t within = 0; within < bytes[section]; within += kChunkBytes) {
            chunks.push_back({position + within, std::min(kChunkBytes, bytes[section] - within), section, within});
        }
        position += bytes[section];
    }
    align();
    checksums_begin = position;
    file_bytes = checksums_begin + 8 * chunks.size();
}

std::string cache_refusal(const std::byte* data, std::uint64_t size, std::uint64_t wanted_hash) {
    if (size < sizeof(CacheHeader)) return "it is shorter than its header";
    CacheHeader header;
    std::memcpy(&header, data, sizeof header);
    if (header.magic != CacheHeader::kMagic) return "it is no cache of this program";
    if (header.byte_order != CacheHeader::kByteOrder) return "it was written by a machine of another byte order";
    if (header.version != CacheHeader::kVersion) return "it has another version";
    if (header.header_hash != content_hash(&header, offsetof(CacheHeader, header_hash))) return "its header is damaged";
    if (header.content_hash != wanted_hash) return "it belongs to another file";
    // Bounded by the file's size first, so that the layout's sums cannot overflow.
    if (header.rows > size || header.nonzeros > size || header.columns > std::numeric_limits<std::uint32_t>::max()) {
        return "it is truncated";
    }
    const CacheLayout layout(header.rows, header.nonzeros);
    if (layout.file_bytes != size) return "it is truncated";
    if (header.checksums_hash != content_hash(data + layout.checksums_begin, 8 * layout.chunks.size())) {
        return "its checksums are damaged";
    }
    return {};
}

} // namespace hogwild
