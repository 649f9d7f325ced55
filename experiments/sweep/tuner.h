// Equal tuning: every compared combination tries the same grid with the same seeds, and takes what reaches the target soonest.
//
// The best is the candidate of the smallest median time to target over the tuning seeds, where a miss takes forever.
// Where most miss, it is the one of the best median at the end. That is of the score that the target is of, else of the
// loss. A combination's best may lie at an edge of a list of numbers that may grow (engine/plan/axis.h).
// Where the sweep lets grids grow, the list then grows there for every combination, by the factor of its outermost two
// values. With `halve`, after each tuning seed the better half of a combination's candidates (rounded up) goes on to
// the next. This is successive halving (Jamieson and Talwalkar 2016), whose survivors alone are judged on all seeds.
// Thread-safety: one runner. Errors: those of Runner.
#pragma once

#include "engine/record/targets.h"
#include "experiments/sweep/runner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

/// What was chosen for a combination.
struct Chosen {
    std::vector<std::size_t> ranked{0};         // the combination's candidates that all seeds tried, the best first
    bool at_edge = false;                       // of some list
    std::size_t trials = 0;                     // of all candidates
    std::size_t reached = 0;                    // trials of the best that reached the target
    std::optional<double> seconds, loss, score; // medians of the best
};

/// All candidates, the best first, of equals the earlier one, by how the trials of each ended: trials[candidate][seed]; `target`: what
/// they were to reach.
std::vector<std::size_t> ranked(const std::vector<std::vector<Ended>>& trials, const Watched& target);

class Tuner {
public:
    /// `may_run`: trials that are not done are run, not refused (as by a shard: all shards share one tuning).
    Tuner(const Spec& spec, SweepInputs& swept, Runner& runner, bool may_run);

    /// Runs the trials. Nothing: it was stopped. Else one for each of `combinations()`.
    std::optional<std::vector<Chosen>> tune();

    /// What is swept, with the candidates that a growing grid added.
    const std::vector<Combination>& combinations() const { return combinations_; }

    /// All trials so far, for tuning/summary.csv.
    const std::vector<SweepJob>& trials() const { return trials_; }

private:
    bool run_trials();
    bool run_round(const std::vector<std::uint64_t>& seeds);
    bool is_tried(const Combination& combination) const;
    std::vector<std::vector<Ended>> ended(std::size_t combination, std::size_t seeds) const;
    Watched target_of(const Combination& combination) const;
    Chosen choose(std::size_t combination) const;
    bool grow(const std::vector<Chosen>& chosen);
    bool add(const std::string& option, const std::string& value);

    SweepInputs& swept_;
    Runner& runner_;
    std::vector<Combination> combinations_;
    std::vector<Choice> lists_;
    std::vector<std::uint64_t> seeds_;
    unsigned may_grow_;
    bool may_run_, halve_, tries_all_;
    std::vector<SweepJob> trials_;
    std::vector<std::vector<std::size_t>> alive_; // of each combination the candidates that no round has put out
    std::vector<std::size_t> counts_;             // of each combination's trials
};

} // namespace hogwild
