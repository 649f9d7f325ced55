#include "engine/schemes/conflicts/conflicts.h"

#include "engine/schemes/sync/popularity.h"

#include <algorithm>

namespace hogwild {

Conflicts::Conflicts(const Timeline& timeline, std::string_view order, const AnyView& data, std::uint64_t seed)
    : data_(data), seed_(seed), cursor_(order, data, seed), chunks_(timeline.positions(0).count * 4) {
    const std::vector<std::uint32_t> bounds = popularity_bounds(data, kRanges);
    range_of_group_.resize(data.groups());
    for (std::uint32_t range = 0; range < kRanges; ++range)
        std::fill(range_of_group_.begin() + bounds[range], range_of_group_.begin() + bounds[range + 1], range);
    listed_.resize(kRanges);
}

std::uint32_t Conflicts::piece(std::uint32_t epoch, std::uint32_t first, std::uint32_t end,
                               std::vector<std::uint32_t>& touched) {
    touched.clear();
    ++call_;
    samples_.resize(std::min(chunks_, end - first));
    fill(cursor_, epoch, first, static_cast<std::uint32_t>(samples_.size()), samples_.data());
    data_.visit([&](const auto& view) {
        for (const std::uint32_t sample : samples_) {
            view.drawn(sample, seed_, epoch).for_each_group([&](std::uint32_t group) {
                const std::uint32_t range = range_of_group_[group];
                if (listed_[range] == call_) return;
                listed_[range] = call_;
                touched.push_back(range);
            });
        }
    });
    return static_cast<std::uint32_t>(samples_.size());
}

} // namespace hogwild
