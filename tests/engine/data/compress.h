// Makes the compressed files that tests read, by the libraries themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace hogwild {

inline std::string gzip(std::string_view text) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<unsigned>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<unsigned>(packed.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("gzip");
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

inline std::string bzip2(std::string_view text) {
    std::string packed(text.size() + text.size() / 100 + 600, '\0');
    auto size = static_cast<unsigned>(packed.size());
    if (BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                 static_cast<unsigned>(text.size()), 9, 0, 0) != BZ_OK) {
        throw std::runtime_error("bzip2");
    }
    packed.resize(size);
    return packed;
}

inline std::string xz(std::string_view text) {
    std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
    std::size_t size = 0;
    if (lzma_easy_buffer_encode(3, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                                text.size(), reinterpret_cast<std::uint8_t*>(packed.data()), &size,
                                packed.size()) != LZMA_OK) {
        throw std::runtime_error("xz");
    }
    packed.resize(size);
    return packed;
}

inline std::string zstd(std::string_view text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3);
    if (ZSTD_isError(size) != 0) throw std::runtime_error("zstd");
    packed.resize(size);
    return packed;
}

struct Format {
    const char* name;
    std::string (*pack)(std::string_view);
};

inline const std::vector<Format>& formats() {
    static const std::vector<Format> all = {{"gzip", gzip}, {"bzip2", bzip2}, {"xz", xz}, {"zstd", zstd}};
    return all;
}

} // namespace hogwild
