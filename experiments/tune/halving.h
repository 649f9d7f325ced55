// Successive halving under a budget of seconds: many candidates, short runs first, the better half goes on to longer ones.
//
// A race has rungs:
//   rung 0     Candidates begin in their order, as long as the budget bears the predicted cost of halving them. The others
//              are left out.
//   rung r     Those that are left run twice as long as in the rung before, up to the longest. Where all of them got there
//              in that rung they run as long as there. Each runs on one seed, on kRepeats seeds with at most kFew left.
//              Then the better half by the median of what their runs say goes on, fewer where the budget bears fewer.
//   last rung  One candidate, one yardstick and that candidate's own yardstick run on one seed. While not all of these got
//              there, they go through another rung of longer runs, as far as the budget bears it.
//
// Predicted cost = all runs that halving takes, weighted by their lengths, x the mean over candidates of what their cheapest
// run took, over its weight. In a later race the mean is of candidates that went beyond rung 0: a first run may load what
// later ones find. The longest runs are predicted to be those of the race before. In the first race they are twice as long
// as the least forecast says.
//
// After the race, where neighbours are known, a walk starts from the yardstick that stands, then one from the rival. Each
// neighbour that was not tried as one before has one run of one seed. The most promising come first, and as many as fit. The
// run is no longer than who it is compared with takes; where that one missed, as long as its last run. The fastest neighbour,
// if it is faster, is the next to start from. Who the walk ends at stands.
//
// While the budget bears more than that, the two race again, against those that were left out. So a short budget that
// turns out to be a long one is spent. A race leaves a part of the budget to neighbours. Where runs are long, few of
// many candidates begin, and whoever wins has better ones beside it. The rival and the yardstick of the last race that
// came to its end stand. But one of a race before stands if it is known to be better. It is better if its runs got
// there, and those of the last one did not, or did at more cost. A short rung goes by forecasts, and may lose who was
// through a long one already.
//
// Within a rung candidates have the same number of runs of the same length with the same seeds, in random order within each
// seed. Yardsticks are candidates that are halved by themselves; some of them go to the finals with the winner. The winner's
// own yardstick, the one most like it, comes for the last rung, which does not wait for it to get there. No run begins once
// the budget is spent. A rung that it cuts off before each candidate had a run counts nothing, and the order of the rung
// before it stands. Neighbours that ran count.
// Thread-safe: a pure function but for what it calls.
//
// Source: Jamieson, Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace hogwild {

/// What one run says of its candidate.
struct Reading {
    double spent = 0;     // seconds of the budget
    double cost = 0;      // smaller is better; infinite: it gets nowhere
    bool measured = true; // false: the cost is a forecast, of a run that did not get there
    double needs =
        1; // how many times as long a run would have to be to get there, as far as is known; at most 1: it got there
};

/// When a run comes, and how long it is: 2^doublings times a race's first ones. Candidates of one rung have runs of one
/// length. They have, one after the other, the same seeds, which no other rung has.
struct Turn {
    unsigned race = 0, rung = 0, doublings = 0, seed = 0;
};

/// A run of candidate `arm`. Nothing: stop, as after an interrupt.
using Measure = std::function<std::optional<Reading>(std::size_t arm, const Turn& turn)>;

struct Standing {
    std::size_t arm = 0;
    double cost = 0;             // median in the last rung that it was in; of two the greater one
    unsigned race = 0, rung = 0; // that rung
    unsigned doublings = 0;      // of its runs
    bool measured = true;        // most of its runs' costs were
    double needs = 1;            // the largest of its runs', 1 of those that missed
    std::size_t runs = 0;        // that count: on seeds on which all of the rung ran
};

/// How long the longest run of one that got there had to be, as a multiple of one of no doublings.
double length_of(const Standing& of);

/// Doublings of the shortest run that is so long.
unsigned doublings_of(double length);

struct Rung {
    unsigned race = 0, rung = 0, doublings = 0;
    bool near = false; // of neighbours
    std::size_t arms = 0, runs = 0;
    unsigned repeats = 0; // seeds
    double spent = 0;
    std::vector<Standing> order; // by cost; empty: it was cut off before each candidate had a run
    bool whole = true;           // every candidate had all its runs
};

struct Race {
    std::vector<Standing>
        order; // best first: those that stand at the end, what is measured first, then who went further, then the smaller cost
    std::vector<Rung> rungs;
    std::size_t left_out = 0; // candidates that never began
    unsigned seeds = 0;       // that rungs took
    double spent = 0;
    bool stopped = false; // by `measure`
};

inline constexpr std::size_t kFew = 4;
inline constexpr unsigned kRepeats = 3;

/// How long runs may be, and what one of so many doublings is expected to cost, as a multiple of one of none.
struct Lengths {
    unsigned most = 0; // doublings
    std::function<double(unsigned doublings)> weight;
    double kept =
        0; // share of the budget that is left for finals: no race begins on it, and none goes on once a candidate got there
};

/// The yardstick of a candidate that has none.
inline constexpr std::size_t kNoYardstick = std::numeric_limits<std::size_t>::max();

/// Puts first who is to be taken. What reached the target comes before what did not, each in their order. Where nothing
/// did, the first of the usual ones (`usual[arm]`) comes first. What a forecast says of others is less than what is
/// known of these.
void put_reached_first(std::vector<Standing>& order, const std::vector<bool>& usual);

/// Candidates of the same kind that are most like this one, the most promising first.
using Neighbours = std::function<std::vector<std::size_t>(std::size_t arm)>;

/// `yardsticks[arm]`: the yardstick most like it; itself: it is one.
Race halve(const std::vector<std::size_t>& yardsticks, double budget, const Lengths& lengths, const Measure& measure,
           const Neighbours& neighbours = {});

} // namespace hogwild
