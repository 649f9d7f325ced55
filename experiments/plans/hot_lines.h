// How often samples write each cache line of the buffer: what --hot-updates auto goes by (experiments/plans/hot_choice.h).
//
// In sparse rows lines are those of coordinates packed by how often they occur, as a placement packs them. They count
// as written as if the columns of a line occurred independently: by 1 - product of (1 - p_j) of the samples. For users
// and items lines are those of the buffer. Each is counted once for every rating and group that has some of it
// (engine/data/ratings/group_use.h).
//
// Thread-safety: pure functions.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

struct HotLines {
    std::vector<double> shares; // of the samples that write it, of each line; falling
    std::vector<double> units; // of what is replicated as one, a line or a page, the share of its hottest line; falling
    std::uint32_t unit = 0;    // coordinates of such
    std::uint32_t coordinates = 0;
};

/// `touched`: of each column the share of samples that hold it.
HotLines lines_of_columns(std::vector<float> touched);

/// `data`: ratings with a model.
HotLines lines_of_groups(const AnyView& data);

} // namespace hogwild
