#include "engine/schemes/conflicts.h"

#include "engine/data/edge_tiles.h"
#include "engine/data/tiles.h"
#include "engine/schemes/popularity.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::uint32_t kCell = SampleOrder::kBlock;

struct Ranges {
    std::vector<std::uint32_t> of_group;
    std::uint32_t count;
};

Ranges ranges_of(const RatingsView& data) {
    const RatingTiles tiles(data);
    return {tiles.range_of_group(), tiles.ranges()};
}

Ranges ranges_of(const EdgesView& data) {
    const EdgeTiles tiles(data);
    Ranges ranges{std::vector<std::uint32_t>(data.groups()), tiles.blocks()};
    for (std::uint32_t group = 0; group < data.groups(); ++group) ranges.of_group[group] = tiles.block_of(group);
    return ranges;
}

template <class View>
Ranges ranges_of(const View& data) {
    constexpr std::uint32_t kMost = 1024;
    const std::vector<std::uint32_t> bounds = popularity_bounds(data, kMost);
    Ranges ranges{std::vector<std::uint32_t>(data.groups()), kMost};
    for (std::uint32_t range = 0; range < kMost; ++range)
        std::fill(ranges.of_group.begin() + bounds[range], ranges.of_group.begin() + bounds[range + 1], range);
    return ranges;
}

/// Adds what the list lacks; it is short.
void add_once(std::vector<std::uint32_t>& list, std::uint32_t value) {
    if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

} // namespace

Conflicts::Conflicts(const Timeline& timeline, std::string_view order, const AnyView& data, std::uint64_t seed,
                     bool whole_chunks)
    : data_(data),
      cursor_(order, data, seed),
      chunks_(std::min<std::uint32_t>(timeline.positions(0).count * 4, kMostSamples)),
      by_cells_(!whole_chunks && (order == "stored" || (orders_blocks(order, data) && data.together() > kCell))) {
    Ranges ranges = data.visit([](const auto& view) { return ranges_of(view); });
    range_of_group_ = std::move(ranges.of_group);
    ranges_ = ranges.count;
    if (by_cells_) cut();
}

/// Finds the runs of stored samples that touch no more than two ranges.
void Conflicts::cut() {
    std::vector<std::uint32_t> touched, with_next;
    const auto rows = static_cast<std::uint32_t>(data_.rows());
    for (std::uint32_t i = 0; i < rows; ++i) {
        with_next = touched;
        add(i, with_next);
        const bool full = i > 0 && i - run_begins_.back() == kMostSamples;
        const bool apart = with_next.size() > 2 && with_next.size() > touched.size();
        if (i == 0 || full || apart) {
            if (i > 0) run_touched_.push_back(touched);
            run_begins_.push_back(i);
            touched.clear();
            add(i, touched);
        } else {
            std::swap(touched, with_next);
        }
    }
    run_touched_.push_back(touched);
    run_begins_.push_back(rows);
}

std::uint32_t Conflicts::piece(std::uint32_t epoch, std::uint32_t first, std::uint32_t end,
                               std::vector<std::uint32_t>& touched) {
    touched.clear();
    if (by_cells_) return stored_piece(epoch, first, end, touched);
    const std::uint32_t count = std::min(chunks_, end - first);
    samples_.resize(count);
    fill(cursor_, epoch, first, count, samples_.data());
    for (const std::uint32_t sample : samples_) add(sample, touched);
    return count;
}

std::uint32_t Conflicts::stored_piece(std::uint32_t epoch, std::uint32_t first, std::uint32_t end,
                                      std::vector<std::uint32_t>& touched) {
    const auto stored = [&](std::uint32_t position) {
        std::uint32_t sample = 0;
        cursor_.fill(epoch, position, 1, 1, &sample);
        return sample;
    };
    const std::uint32_t sample = stored(first);
    const auto run_end = std::ranges::upper_bound(run_begins_, sample);
    const std::uint32_t most = std::min(*run_end - sample, end - first);
    touched = run_touched_[static_cast<std::size_t>(run_end - run_begins_.begin()) - 1];
    std::uint32_t count = std::min(most, kCell - first % kCell);
    // On into cells that follow one another in the store, too.
    while (count < most && stored(first + count) == sample + count) count += std::min(most - count, kCell);
    return count;
}

void Conflicts::add(std::uint32_t sample, std::vector<std::uint32_t>& touched) {
    data_.visit([&](const auto& view) {
        view.row(sample).for_each_group([&](std::uint32_t group) { add_once(touched, range_of_group_[group]); });
    });
}

} // namespace hogwild
