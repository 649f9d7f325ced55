#include "engine/data/text/decompress.h"

#include "engine/error.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace hogwild {
namespace {

using namespace std::string_view_literals;

[[noreturn]] void fail(const std::string& name, std::string_view format, std::string_view why,
                       std::string_view suggestion) {
    throw Error(fmt::format("{}: cannot decompress {} data", name, format), std::string(why), std::string(suggestion));
}

[[noreturn]] void fail_truncated(const std::string& name, std::string_view format) {
    fail(name, format, "the file ends early", "download or copy it again");
}

[[noreturn]] void fail_corrupt(const std::string& name, std::string_view format, std::string_view why) {
    fail(name, format, why, "download or copy the file again");
}

// zlib and bzip2 count input and output in 32 bits: longer buffers are handed over piecewise.
unsigned piece(std::size_t size) {
    return static_cast<unsigned>(std::min<std::size_t>(size, std::numeric_limits<unsigned>::max() / 2));
}

class GzipReader {
public:
    GzipReader(std::string_view stored, std::string name) : rest_(stored), name_(std::move(name)) {
        constexpr int kGzipOnly = 16 + MAX_WBITS;
        if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
    }
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;
    ~GzipReader() { inflateEnd(&stream_); }

    std::size_t read(std::span<char> text) {
        std::size_t filled = 0;
        while (filled == 0) {
            if (member_ended_ && !next_member()) return 0;
            if (rest_.empty()) fail_truncated(name_, "gzip");
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
            stream_.avail_in = piece(rest_.size());
            stream_.next_out = reinterpret_cast<Bytef*>(text.data());
            stream_.avail_out = piece(text.size());
            const unsigned offered = stream_.avail_in;
            const unsigned room = stream_.avail_out;
            const int status = inflate(&stream_, Z_NO_FLUSH);
            rest_.remove_prefix(offered - stream_.avail_in);
            filled = room - stream_.avail_out;
            if (status == Z_STREAM_END)
                member_ended_ = true;
            else if (status != Z_OK && status != Z_BUF_ERROR)
                fail_corrupt(name_, "gzip", stream_.msg ? stream_.msg : zError(status));
        }
        return filled;
    }

private:
    // Tape blocks leave zeros behind the last member; anything else must be another member.
    bool next_member() {
        if (rest_.find_first_not_of('\0') == std::string_view::npos) return false;
        inflateReset(&stream_);
        member_ended_ = false;
        return true;
    }

    std::string_view rest_;
    std::string name_;
    z_stream stream_{};
    bool member_ended_ = false;
};

class Bzip2Reader {
public:
    Bzip2Reader(std::string_view stored, std::string name) : rest_(stored), name_(std::move(name)) { start(); }
    Bzip2Reader(const Bzip2Reader&) = delete;
    Bzip2Reader& operator=(const Bzip2Reader&) = delete;
    ~Bzip2Reader() { BZ2_bzDecompressEnd(&stream_); }

    std::size_t read(std::span<char> text) {
        std::size_t filled = 0;
        while (filled == 0) {
            if (stream_ended_) {
                if (rest_.empty()) return 0;
                BZ2_bzDecompressEnd(&stream_);
                start();
            }
            if (rest_.empty()) fail_truncated(name_, "bzip2");
            stream_.next_in = const_cast<char*>(rest_.data());
            stream_.avail_in = piece(rest_.size());
            stream_.next_out = text.data();
            stream_.avail_out = piece(text.size());
            const unsigned offered = stream_.avail_in;
            const unsigned room = stream_.avail_out;
            const int status = BZ2_bzDecompress(&stream_);
            rest_.remove_prefix(offered - stream_.avail_in);
            filled = room - stream_.avail_out;
            if (status == BZ_STREAM_END)
                stream_ended_ = true;
            else if (status == BZ_MEM_ERROR)
                throw std::bad_alloc();
            else if (status != BZ_OK)
                fail_corrupt(name_, "bzip2", "its check sums or structure are wrong");
        }
        return filled;
    }

private:
    void start() {
        stream_ = {};
        stream_ended_ = false;
        if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    }

    std::string_view rest_;
    std::string name_;
    bz_stream stream_{};
    bool stream_ended_ = false;
};

class XzReader {
public:
    XzReader(std::string_view stored, std::string name) : name_(std::move(name)) {
        constexpr std::uint64_t kMemoryLimit = std::uint64_t{2} << 30; // xz -9 needs 65 MiB; the format allows 4 GiB
        if (lzma_stream_decoder(&stream_, kMemoryLimit, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(stored.data());
        stream_.avail_in = stored.size();
    }
    XzReader(const XzReader&) = delete;
    XzReader& operator=(const XzReader&) = delete;
    ~XzReader() { lzma_end(&stream_); }

    std::size_t read(std::span<char> text) {
        stream_.next_out = reinterpret_cast<std::uint8_t*>(text.data());
        stream_.avail_out = text.size();
        while (stream_.avail_out == text.size()) {
            const lzma_ret status = lzma_code(&stream_, LZMA_FINISH); // all input is at hand
            if (status == LZMA_STREAM_END) break;
            if (status == LZMA_BUF_ERROR) fail_truncated(name_, "xz");
            if (status == LZMA_MEMLIMIT_ERROR) {
                fail(name_, "xz", "its dictionary needs more than 2 GiB",
                     "compress it again with a smaller one, such as xz -6");
            }
            if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
            if (status != LZMA_OK) fail_corrupt(name_, "xz", "its check sums or structure are wrong");
        }
        return text.size() - stream_.avail_out;
    }

private:
    std::string name_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdReader {
public:
    ZstdReader(std::string_view stored, std::string name) : name_(std::move(name)), stream_(ZSTD_createDStream()) {
        if (!stream_) throw std::bad_alloc();
        input_ = {stored.data(), stored.size(), 0};
    }

    std::size_t read(std::span<char> text) {
        ZSTD_outBuffer output{text.data(), text.size(), 0};
        while (output.pos == 0) {
            if (input_.pos == input_.size && frame_ended_) return 0;
            const std::size_t before = input_.pos;
            const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input_);
            if (ZSTD_isError(status) != 0) fail_corrupt(name_, "zstd", ZSTD_getErrorName(status));
            frame_ended_ = status == 0;
            if (!frame_ended_ && output.pos == 0 && input_.pos == before && input_.pos == input_.size) {
                fail_truncated(name_, "zstd");
            }
        }
        return output.pos;
    }

private:
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };

    std::string name_;
    std::unique_ptr<ZSTD_DStream, Free> stream_;
    ZSTD_inBuffer input_{};
    bool frame_ended_ = false;
};

template <class Reader>
ByteReader reader_of(std::string_view stored, const std::string& name) {
    return [reader = std::make_shared<Reader>(stored, name)](std::span<char> text) { return reader->read(text); };
}

} // namespace

Compression detect_compression(std::string_view stored) {
    if (stored.starts_with("\x1F\x8B")) return Compression::kGzip;
    if (stored.starts_with("BZh") && stored.size() >= 4 && stored[3] >= '1' && stored[3] <= '9')
        return Compression::kBzip2;
    if (stored.starts_with("\xFD"
                           "7zXZ\0"sv))
        return Compression::kXz;
    const bool skippable =
        stored.size() >= 4 && (stored[0] & '\xF0') == '\x50' && stored.substr(1, 3) == "\x2A\x4D\x18";
    if (stored.starts_with("\x28\xB5\x2F\xFD") || skippable) return Compression::kZstd;
    return Compression::kNone;
}

ByteReader open_compressed(Compression compression, std::string_view stored, const std::string& name) {
    switch (compression) {
    case Compression::kGzip: return reader_of<GzipReader>(stored, name);
    case Compression::kBzip2: return reader_of<Bzip2Reader>(stored, name);
    case Compression::kXz: return reader_of<XzReader>(stored, name);
    case Compression::kZstd: return reader_of<ZstdReader>(stored, name);
    case Compression::kNone: break;
    }
    throw Error(name + " is not compressed", "its first bytes are no known magic number", "read it as it is");
}

} // namespace hogwild
