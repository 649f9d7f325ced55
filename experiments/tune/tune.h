// Tuning by measurement: which scheme, number of workers, policy and step reach the target soonest here, found within a budget.
//
// Successive halving (experiments/tune/halving.h) over what experiments/tune/arms.h tries; a run says the time at which it reached
// the target or, too short for that, its forecast (experiments/tune/forecast.h). Runs have an epoch at first, and twice as many in the
// next rung unless all that are left got there, up to those of the plan (kMostEpochs where none are given); a run of that length which
// misses stands behind all that reach. Where steps that fall to nothing at a run's end (linear) are asked for, runs of every rung have
// all epochs, since a shorter one is none of their stages. Who missed is never taken before one that reached the target nor, where
// nobody did, before the defaults. Serial code is the yardstick, as of the
// winner's own rung (experiments/tune/compared.h). Seeds are those after the last of `--seed` (from 1001 where none was given), the
// same for all candidates of a rung.
// Thread-safety: one at a time, as runs are. Errors: those of loading, of targets and of arms; Error (Failure::kUsage) for a budget that
// was spent before anything was measured; Error (Failure::kDisk).
#pragma once

#include "engine/plan.h"
#include "experiments/interrupt.h"
#include "experiments/options.h"
#include "experiments/sweep/spec.h"
#include "experiments/tune/halving.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

struct TuneOptions {
    RunOptions run;             // axes that are given are fixed
    double budget = 60;         // seconds of runs; loading and the optimum come before
    std::vector<Setting> typed; // what was given on the command line, for the command that repeats the winner
};

/// Why one candidate stands where it does: that of its runs in its last rung which had the median time. time = updates / rate.
struct Finalist {
    Plan plan; // its epochs those of its last rung, or as they were given
    Standing standing;
    std::size_t reached = 0, runs = 0;
    double seconds = 0, updates = 0, rate = 0; // to the target; kNone where most runs missed it
};

struct Tuned {
    std::vector<Finalist> finalists; // best first, of the last rungs; empty: interrupted before anything was measured
    std::optional<Finalist> serial;  // among them: the best serial code of the winner's rung, with which it is compared
    std::vector<Setting> settings;   // of `hogwild run`, that repeat the winner
    Race race;
    std::vector<std::uint32_t> epochs; // of each of its rungs' runs
    std::size_t candidates = 0, trials = 0;
    double before = 0; // seconds of loading and of the optimum
    std::string target;
    std::filesystem::path folder; // of the trials; empty: they were not kept
};

/// Arms the interrupt where there is something to save. `keeps`: trials are kept in a folder as runs are, at options.run.output.
Tuned tune(const TuneOptions& options, const std::vector<std::string>& command, bool keeps, Interrupt& interrupt);

/// Of people: rungs, finalists, the winner's three numbers beside serial's, and the command.
std::string tune_report(const Tuned& tuned, double budget);

/// The line of that report which says why the winner is the best: how many times as fast as serial code it is, and whether by more updates
/// per second or by fewer updates; or why there is no such number.
std::string why(const Tuned& tuned);

/// What the manifest of a run of the winner says of how it was found, a JSON object; the three numbers of a finalist are null where it
/// missed the target, and so is serial code, which is compared with a winner that got there.
std::string tuned_text(const Tuned& tuned, double budget);

/// One JSON object with a line end.
std::string tune_json(const Tuned& tuned, double budget);

} // namespace hogwild
