#include "engine/data/tiles.h"

#include <algorithm>
#include <numeric>

namespace hogwild {
namespace {

/// For each id the number of its range, so that each range holds near-equal counts.
std::vector<std::uint32_t> equal_ranges(const std::vector<std::uint64_t>& counts, std::uint32_t ranges) {
    const std::uint64_t total =
        std::max<std::uint64_t>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 1);
    std::vector<std::uint32_t> range(counts.size());
    std::uint64_t before = 0;
    for (std::size_t id = 0; id < counts.size(); ++id) {
        // By an id's middle: the range in which most of its ratings lie.
        range[id] = static_cast<std::uint32_t>(
            std::min<std::uint64_t>((2 * before + counts[id]) * ranges / (2 * total), ranges - 1));
        before += counts[id];
    }
    return range;
}

} // namespace

RatingTiles::RatingTiles(const RatingsView& data) {
    constexpr std::uint64_t kLarge = 1 << 15, kSmall = 512; // ratings of a tile, on average, at least
    constexpr std::uint32_t kMostSide = 16;
    std::uint64_t users = 8192, items = 2048;
    const auto parts = [](std::uint64_t all, std::uint64_t each) {
        return static_cast<std::uint32_t>(std::max<std::uint64_t>((all + each - 1) / each, 1));
    };
    for (;; users *= 2, items *= 2) {
        down_ = parts(data.users, users);
        across_ = parts(data.items, items);
        if (down_ * std::uint64_t{across_} == 1 || data.rows / (std::uint64_t{down_} * across_) >= kLarge) break;
    }
    const std::uint64_t each = data.rows / (std::uint64_t{down_} * across_);
    while (side_ < kMostSide && each >= kSmall * 4 * side_ * side_) side_ *= 2;
    std::vector<std::uint64_t> of_user(data.users), of_item(data.items);
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        ++of_user[data.ratings[i].user];
        ++of_item[data.ratings[i].item];
    }
    user_ranges_ = equal_ranges(of_user, down_ * side_);
    item_ranges_ = equal_ranges(of_item, across_ * side_);
}

std::vector<std::uint32_t> RatingTiles::range_of_group() const {
    std::vector<std::uint32_t> ranges = user_ranges_;
    for (const std::uint32_t range : item_ranges_) ranges.push_back(down_ * side_ + range);
    return ranges;
}

} // namespace hogwild
