// Numbers without gaps for numbers with gaps.
//
// Thread-safety: a pure function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

/// Puts for each number how many smaller ones occur, so that their order stays. Returns those that occur, rising.
std::vector<std::uint32_t> renumber(std::span<std::uint32_t> numbers);

} // namespace hogwild
