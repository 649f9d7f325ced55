// Where each coordinate lies in the parameter buffer: a renumbering of the columns.
//
//   stored      as the file numbers them
//   hottest     by falling number of samples that touch them: the hottest share few lines, and can be kept apart
//   scattered   in a pseudo-random order: no line holds many hot ones
//
// Neighbours in the buffer share cache lines, and what one worker writes takes the line from all others, so numbering is
// speed and nothing else: results differ by the order of additions within a row only.
// Thread-safety: pure functions of their arguments; copies in parallel, the same bits at any thread count.
#pragma once

#include "engine/data/dataset.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hogwild {

inline constexpr std::array<std::string_view, 3> kPlacements = {"stored", "hottest", "scattered"};

/// New number of every column of `data`; one-to-one. Empty: as stored. Precondition: `kind` is one of kPlacements.
std::vector<std::uint32_t> placement(std::string_view kind, const SparseView& data);

/// The same samples with renumbered columns, each row in rising order again. `data` may hold fewer columns than `numbers`.
Dataset placed(const Dataset& data, const std::vector<std::uint32_t>& numbers);

} // namespace hogwild
