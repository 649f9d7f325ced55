// The finals of a tuning: the few that may be the fastest meet once more, all on the same seeds, which no race had.
//
// A race's winner was the best of many by one to three runs, so its own times flatter it, and those of other races are of other seeds
// and minutes. Only times of the finals are told and compared. Who meets, the first ones first:
//
//   the best rival and the best yardstick    whoever stands at the end of the races
//   the fastest yardstick                    by the least cost in any rung, so that one slow run throws none out
//   neighbours of that yardstick, then those of the rival, tried or not: a best step is one whose neighbours are slower
//   the rival's own yardstick, and the fastest rival
//
// Runs are as long as each wants: twice as long as those in which it first got there, if it had such; a neighbour that never got there
// has twice its neighbour's length. A shorter run is a stage of a longer one, so lengths do not matter to those who get there.
//
// Each seed is run by all, in random order; a seed that the budget or an interrupt cuts off counts nothing, but for the first: who had no
// run of it does not take part.
// Thread-safe: pure functions but for what they call.
#pragma once

#include "experiments/tune/halving.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace hogwild {

struct Contender {
    std::size_t arm = 0;
    unsigned doublings = 0; // of its runs
};

struct Finals {
    std::vector<Contender> contenders; // that took part
    unsigned race = 0;
    unsigned seeds = 0; // that all of them ran
    std::size_t runs = 0;
    double spent = 0;
    bool stopped = false; // by `measure`
};

inline constexpr unsigned kMostSeeds = 20;
inline constexpr double kShareOfFinals = 0.25; // of a tuning's budget

/// Candidates that differ from this one in a step of its scheme's list alone: the next smaller and the next larger one.
using Neighbours = std::function<std::vector<std::size_t>(std::size_t arm)>;

/// Empty: nobody reached the target. `yardsticks`: as of halve.
std::vector<Contender> contenders(const Race& race, const std::vector<std::size_t>& yardsticks,
                                  const Neighbours& neighbours);

/// The race's turns are those after the last of `race`. Two take part at least, others while three seeds of all seem to
/// fit; a budget that does not bear a run of each of two has no finals, where two could meet.
Finals finals(const Race& race, const std::vector<Contender>& contenders, double budget, const Measure& measure);

} // namespace hogwild
