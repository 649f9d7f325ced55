// Tuning by measurement: which scheme, number of workers, policy and step reach the target soonest here, found within a budget.
//
// Successive halving (experiments/tune/halving.h) goes over what experiments/tune/arms.h tries. A run says the time at
// which it reached the target or, too short for that, its forecast (experiments/tune/forecast.h). Runs have an epoch at
// first, and twice as many in the next rung unless all that are left got there. The longest have the plan's epochs
// (kMostEpochs where none are given). A run of that length which misses stands behind all that reach. Steps that fall
// to nothing at a run's end (linear) may be asked for. Then runs of every rung have all epochs, since a shorter one is
// none of their stages. From who is left it goes on to neighbours, a place further on one list. A quarter of the budget
// is for finals (experiments/tune/finals.h), in which the winner is found and compared with serial code. Where nobody
// reached the target there are none, and the defaults are taken. Seeds are those after the last of `--seed` (from 1001
// where none was given). They are the same for all candidates of a rung or of the finals.
// Thread-safety: one at a time, as runs are. Errors: those of loading, of targets and of arms; Error (Failure::kUsage) for a budget that
// was spent before anything was measured; Error (Failure::kDisk).
#pragma once

#include "engine/plan/plan.h"
#include "experiments/options/options.h"
#include "experiments/session/interrupt.h"
#include "experiments/statistics/ratio_interval.h"
#include "experiments/sweep/spec/spec.h"
#include "experiments/tune/finals.h"
#include "experiments/tune/halving.h"
#include "experiments/tune/step_sides.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hogwild {

struct TuneOptions {
    RunOptions run;             // axes that are given are fixed
    double budget = 60;         // seconds of runs; loading and the optimum come before
    std::vector<Setting> typed; // what was given on the command line, for the command that repeats the winner
};

/// Why one candidate stands where it does: what its runs of the finals together took
/// (experiments/statistics/expected_cost.h), of all seeds. Where there were no finals, it is what those of its last
/// rung took. time = updates / rate.
struct Finalist {
    Plan plan; // its epochs those of the runs or, where all missed the target, the most that a trial has
    std::size_t reached = 0, runs = 0;
    double seconds = 0, updates = 0, rate = 0; // to the target; infinite, kNone and of whole runs where all missed it
    std::optional<RatioInterval>
        over_serial; // its speed-up over the best serial code; of the finals, but for that code itself
};

/// In more than half of its runs.
inline bool mostly_reached(const Finalist& of) { return 2 * of.reached > of.runs; }

struct Tuned {
    std::vector<Finalist> finalists;   // best first; empty: interrupted before anything was measured
    std::optional<std::size_t> serial; // of them, the best serial code; none: none was tried or, in finals, took part
    StepSides serial_step = StepSides::kTried; // of that code
    std::vector<Setting> settings;             // of `hogwild run`, that repeat the winner
    Race race;
    Finals
        finals; // of no seeds: nobody reached the target, before or in them, or the budget or an interrupt cut them off
    std::vector<std::uint32_t> epochs;    // of each of the race's rungs' runs
    std::set<std::uint32_t> final_epochs; // of the runs of the finals
    bool rivals = true, serials = true;   // others than serial code were asked for, and that
    std::size_t disturbed =
        0; // runs of the finals whose workers waited for cores (was_disturbed of experiments/table/notes.h)
    std::size_t candidates = 0, trials = 0;
    double before = 0; // seconds of loading and of the optimum
    std::string target;
    std::filesystem::path folder; // of the trials; empty: they were not kept
};

/// Arms the interrupt where there is something to save. `keeps`: trials are kept in a folder as runs are, at options.run.output.
Tuned tune(const TuneOptions& options, const std::vector<std::string>& command, bool keeps, Interrupt& interrupt);

/// For people: rungs, finalists, why the first one is the best, and the command.
std::string tune_report(const Tuned& tuned, double budget);

/// The lines of that report which say why the winner is the best. They say how many times as fast as serial code it is,
/// and how surely. They say whether that is by more updates per second or by fewer updates, or why there is no such
/// number.
std::string why(const Tuned& tuned);

/// What the manifest of a run of the winner says of how it was found, a JSON object. The numbers of a finalist are null
/// where it missed the target. So are those of serial code, which is compared with a winner that got there.
std::string tuned_text(const Tuned& tuned, double budget);

/// One JSON object with a line end.
std::string tune_json(const Tuned& tuned, double budget);

} // namespace hogwild
