// How much samples use each coordinate, where they touch coordinates by groups: users and items, nodes, words.
//
// Counts less than a million samples, evenly spread; of samples that draw numbers, typical draws. Thread-safety: a pure function.
#pragma once

#include "kernels/any_view.h"

#include <vector>

namespace hogwild {

/// For each coordinate the share of the samples that touch its group. Precondition: the view has groups (for_each_range).
std::vector<float> group_use(const AnyView& data);

} // namespace hogwild
