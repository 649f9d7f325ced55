// Whom the winner is compared with, and what is shown beside it. Times compare within one rung of one race alone, so that is the best
// yardstick of the rung by which the winner stands, whoever was faster or slower in another one: every rung carries one along.
// `yardsticks` as of halve. Thread-safe: pure functions.
#pragma once

#include "experiments/tune/halving.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace hogwild {

/// The yardstick of the rung by which `winner` stands, as it stood there: itself, where it is one; else what reached the target before what
/// did not, then the smaller cost. Nothing: the rung has none.
std::optional<Standing> compared(const Race& race, const std::vector<std::size_t>& yardsticks, const Standing& winner);

/// Of a rival and a yardstick that both reached the target, the first two, puts the winner first, as it stood in a rung that it won: the
/// rival or, if that lost to it, the best yardstick of the rival's rung. The first two's yardstick, where it is another one that the
/// rival did not meet there, wins if it won its own rung and costs less.
void put_winner_first(Race& race, const std::vector<std::size_t>& yardsticks);

/// The first `most` of a race's order, and the yardstick, if it is another one, in the place of whatever else is known of it or behind them.
std::vector<Standing> shown(const Race& race, const std::optional<Standing>& yardstick, std::size_t most);

} // namespace hogwild
