// The finals of a tuning: the few that may be the fastest meet once more, all on the same seeds, which no race had.
//
// A race's winner was the best of many by one to three runs, so its own times flatter it. Times of other races are of
// other seeds and minutes. Only times of the finals are told and compared. Who meets: whoever stands at the end of the
// races, and the best rival's own yardstick if it got there. Others follow by the least cost at which they reached the
// target in any rung. At most kRivals rivals and kYardsticks yardsticks meet in all. So nobody is lost by one slow run.
// But nobody meets who is twice as slow as who stands of its kind. Each one's runs are long enough for half as much
// again as it took so far. A shorter run is a stage of a longer one, so lengths do not matter to those who get there.
//
// Each seed is run by all, in random order. A seed that the budget or an interrupt cuts off counts nothing, but for the
// first. Who had no run of the first does not take part.
// Thread-safe: pure functions but for what they call.
#pragma once

#include "experiments/tune/halving.h"

#include <cstddef>
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

inline constexpr std::size_t kRivals = 2, kYardsticks = 3;
inline constexpr unsigned kMostSeeds = 20;
inline constexpr double kShareOfFinals = 0.25; // of a tuning's budget

/// The most important first: the best rival and the best yardstick. Empty: nobody reached the target. `yardsticks`: as of halve.
std::vector<Contender> contenders(const Race& race, const std::vector<std::size_t>& yardsticks);

/// The race's turns are those after the last of `race`. Two take part at least, others while three seeds of all seem to
/// fit. A budget that does not bear a run of each of two has no finals, where two could meet.
Finals finals(const Race& race, const std::vector<Contender>& contenders, double budget, const Measure& measure);

} // namespace hogwild
