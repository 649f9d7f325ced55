// How much samples use coordinates that they touch by groups: those of users and items, of nodes, of words.
//
// Samples that draw numbers count with typical draws. Thread-safety: a pure function; counts in parallel.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

struct GroupUse {
    static constexpr std::uint32_t kLine = 16; // coordinates

    std::vector<float> touched; // of each coordinate: share of the samples that touch its group
    std::vector<float> lines;   // of each cache line: the sum of those of the groups that have some of it
};

/// Precondition: the samples have groups of coordinates (for_each_range).
GroupUse group_use(const AnyView& data);

} // namespace hogwild
