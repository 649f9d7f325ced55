#include "engine/data/ratings/tiles.h"

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

RatingTiles::RatingTiles(const RatingsView& data, std::uint32_t side) : side_(side) {
    std::vector<std::uint64_t> of_user(data.users), of_item(data.items);
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        ++of_user[data.ratings[i].user];
        ++of_item[data.ratings[i].item];
    }
    user_ranges_ = equal_ranges(of_user, side);
    item_ranges_ = equal_ranges(of_item, side);
}

} // namespace hogwild
