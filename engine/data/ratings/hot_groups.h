// Which groups of coordinates, of users and items, each block of a GPU keeps copies of
// (kernels/cuda/rows/hot_group_weights.cuh). They are those that most samples touch; where two are alike, the one that
// comes first. There are as many as `hot` coordinates hold, one at least.
//
// Thread-safety: a pure function.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

struct HotGroups {
    std::vector<std::uint32_t> slots; // of each group its number among the hot ones, or HotExchange::kCold
    std::vector<std::uint32_t>
        coordinates; // of each copy: the factors of all hot groups, slot by slot, then their biases
};

/// Precondition: the samples are ratings, hot > 0.
HotGroups hot_groups(std::uint32_t hot, const AnyView& data);

} // namespace hogwild
