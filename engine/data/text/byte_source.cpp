#include "engine/data/text/byte_source.h"

#include <algorithm>
#include <utility>

namespace hogwild {

ByteSource::ByteSource(std::string_view stored, std::string name, const TextLimits& limits)
    : stored_(stored), name_(std::move(name)), limits_(limits) {
    const Compression compression = detect_compression(stored);
    if (compression != Compression::kNone) reader_ = open_compressed(compression, stored, name_);
}

std::size_t ByteSource::read(std::span<std::uint8_t> to) {
    std::size_t filled = 0;
    if (!reader_) {
        filled = std::min<std::size_t>(to.size(), stored_.size() - bytes_);
        std::copy_n(stored_.data() + bytes_, filled, to.data());
        bytes_ += filled;
        check_text(name_, bytes_, bytes_, limits_);
        return filled;
    }
    constexpr std::size_t kPiece = std::size_t{1} << 24; // a bomb is noticed before all of it is there
    while (filled < to.size()) {
        const auto place = to.subspan(filled, std::min(kPiece, to.size() - filled));
        const std::size_t count = reader_({reinterpret_cast<char*>(place.data()), place.size()});
        if (count == 0) break;
        filled += count;
        bytes_ += count;
        check_text(name_, bytes_, stored_.size(), limits_);
    }
    return filled;
}

bool ByteSource::at_end() {
    if (!reader_) return bytes_ == stored_.size();
    char next = 0;
    return reader_({&next, 1}) == 0;
}

} // namespace hogwild
