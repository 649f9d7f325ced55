// Which coordinates are hot (engine/hot_updates.h): where in the buffer workers have some of their own.
//
// Of sparse rows those that come first, in whole cache lines, where --placement has put the hottest ones. Of other problems, whose
// coordinates lie by groups (users and items, nodes, words), the pages of the buffer that are touched most:
//
//   heat of a page = sum over its coordinates of the share of the samples that touch them
//
// the hottest first, until they hold as many as the plan says; of two alike the one that comes first. They make kMostRanges ranges
// at most, since a system has so many mappings and no more: a page that would begin another one is passed over.
// Thread-safety: pure functions.
#pragma once

#include "engine/memory/parameter_buffer.h"
#include "engine/plan.h"
#include "kernels/any_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

inline constexpr std::size_t kMostRanges = 256;

/// Rising, apart from one another. Empty where workers own none.
std::vector<CoordinateRange> hot_ranges(const Plan& plan, const AnyView& data);

/// The hottest pages of so many coordinates each, of coordinates that are touched so much, that hold `hot` of them.
std::vector<CoordinateRange> hottest_pages(std::span<const float> touched, std::uint32_t page, std::uint32_t hot);

} // namespace hogwild
