// Successive halving under a budget of seconds: many candidates, short runs first, the better half goes on to longer ones.
//
//   rung 0     candidates begin, in their order, as long as the budget bears halving that many, whose runs are expected to cost, by
//              their weights, what those of candidates so far did, each by its cheapest one (after a race of those that had more
//              than a first one, which may load what later ones find), and to be as long at the end as those of the race before or, in
//              the first one, twice what the least forecast says; the others are left out
//   rung r     those that are left, each with runs twice as long as in the rung before, up to the longest, but as long where all of
//              these got there in it; one seed, with at most kFew left kRepeats seeds; then the better half, or fewer where the
//              budget does not bear so many, by the median of what their runs say, goes on
//   the end    one candidate, one yardstick and that candidate's own yardstick have been through a rung of their own, of one seed; while
//              not all of these got there, through another one of longer runs, as far as the budget bears it
//   after it   where neighbours are known, from the yardstick that stands, then from the rival: each neighbour that was not tried as one
//              before, the most promising first and as many as fit, has one run of one seed, no longer than who it is compared with
//              takes (of one that missed, as long as its last run). The fastest, if it is faster, is the next to start from. Who the
//              walk ends at stands
//
// While the budget bears more than that, the two race again, against those that were left out: so a short budget that turns out
// to be a long one is spent. A race leaves a part of the budget to neighbours: where runs are long, few of many candidates begin, and
// whoever wins has better ones beside it. Of rivals and of yardsticks that of the last race that came to its end stands, unless one of
// a race before it is known to be better: its runs got there, and those of the last one did not, or at more cost. A short rung goes by
// forecasts, and may lose who was through a long one already.
//
// Within a rung candidates have the same number of runs of the same length with the same seeds, in random order within each seed.
// Yardsticks, of which some go to the finals with the winner, are candidates that are halved by themselves; its own, the one most like
// it, comes for the last rung, which does not wait for it to get there. No run begins once the budget is spent; a rung that it cuts off
// before each candidate had a run counts nothing, and the order of the rung before it stands; of neighbours those that ran count.
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

/// When a run comes, and how long it is, 2^doublings times a race's first ones: candidates of one rung have runs of one length and, one
/// after the other, the same seeds, which no other has.
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

/// Of the shortest run that is so long.
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

/// Of a candidate that has none.
inline constexpr std::size_t kNoYardstick = std::numeric_limits<std::size_t>::max();

/// Puts first who is to be taken: what reached the target before what did not, each in their order; where nothing did, the first of the
/// usual ones (`usual[arm]`), since what a forecast says of others is less than what is known of these.
void put_reached_first(std::vector<Standing>& order, const std::vector<bool>& usual);

/// Candidates of the same kind that are most like this one, the most promising first.
using Neighbours = std::function<std::vector<std::size_t>(std::size_t arm)>;

/// `yardsticks[arm]`: the yardstick most like it; itself: it is one.
Race halve(const std::vector<std::size_t>& yardsticks, double budget, const Lengths& lengths, const Measure& measure,
           const Neighbours& neighbours = {});

} // namespace hogwild
