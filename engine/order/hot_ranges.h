// Which coordinates are hot (engine/plan/hot_updates.h): where in the buffer workers have some of their own.
//
// In sparse rows those that come first, in whole cache lines, where --placement has put the hottest ones. In other problems, whose
// coordinates lie by groups (users and items, nodes, words), the pages of the buffer that are touched most:
//
//   heat of a page = sum over its cache lines, and over the groups that have some of a line, of the share of the samples that touch
//                    the group
//
// which is how many of its lines travel for a sample that other workers' come between. The hottest pages come first,
// until they hold as many coordinates as the plan says; where two are alike, the one that comes first. They make
// kMostRanges ranges at most, since a system has so many mappings and no more. A page that would begin another range is
// passed over.
// Thread-safety: pure functions.
#pragma once

#include "engine/memory/parameter_buffer.h"
#include "kernels/views/any_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

inline constexpr std::size_t kMostRanges = 256;

/// Rising, apart from one another. Empty where workers own none.
std::vector<CoordinateRange> hot_ranges(const Plan& plan, const AnyView& data);

/// The hottest pages, of so many lines each, of lines that are touched so much; `pages` of them, or all. In whole lines.
std::vector<CoordinateRange> hottest_pages(std::span<const float> lines, std::uint32_t lines_of_page,
                                           std::uint32_t pages);

} // namespace hogwild
