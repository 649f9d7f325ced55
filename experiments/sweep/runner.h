// Runs the jobs of a sweep, each in a process of its own, and keeps what each measured before the next begins.
//
// A job that the journal has as done is not run again, but for --rerun. What was begun and not done is run again, and
// so is what was begun once more and not done. Its old result stays until the new one replaces it. Where a whole folder
// is there that the journal has not heard of, only the journal's last word is missing.
// Thread-safety: one runner. Errors: Error (Failure::kDisk) when something cannot be kept: the journal resumes.
#pragma once

#include "engine/plan/plan.h"
#include "experiments/session/interrupt.h"
#include "experiments/sweep/folder/journal.h"
#include "experiments/sweep/folder/sweep_folder.h"
#include "experiments/sweep/sweep_inputs.h"
#include "experiments/text/exit_code.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hogwild {

struct SweepJob {
    Case settings; // with what is tried, without the seed
    Plan plan;
    std::string key;
    std::string run; // its folder: "NAME", of a trial "tuning/NAME"
};

enum class Rerun { kNothing, kFailed, kStale, kAll };

/// Whether --rerun asks for what ended so once more.
bool wants_again(const Ended& ended, Rerun rerun);

struct RunnerOptions {
    std::optional<double> timeout; // seconds, of one run; else longest_seconds() of what is predicted
    double stop_after =
        std::numeric_limits<double>::infinity(); // seconds since the command began: no seed but the first begins later
    Rerun rerun = Rerun::kNothing;
    bool fail_fast = false;
    bool quiet = false;
};

class Runner {
public:
    Runner(const SweepFolder& folder, Journal& journal, const Interrupt& interrupt, const RunnerOptions& options);

    /// Jobs yet to run, of these.
    std::vector<SweepJob> left(const std::vector<SweepJob>& jobs);

    /// Runs what is left, in random order within each seed. False: it was stopped, by a signal, --stop-after or --fail-fast.
    bool run(SweepInputs& swept, const std::vector<SweepJob>& jobs);

    /// How a job ended, or null.
    const Ended* ended(const SweepJob& job) const;

    /// The verdict on what was done here: whether it was stopped, and whether some run failed.
    const Verdict& verdict() const { return verdict_; }

private:
    bool interrupted() const;
    bool late() const;
    void adopt(const SweepJob& job);
    void warm_up(SweepInputs& swept, const Plan& plan);
    Outcome attempt(SweepInputs& swept, const Plan& plan) const;
    bool run_one(SweepInputs& swept, const SweepJob& job, const std::string& title);
    void say(const std::string& line) const;

    const SweepFolder& folder_;
    Journal& journal_;
    const Interrupt& interrupt_;
    RunnerOptions options_;
    double begun_;
    std::set<std::string> ran_; // keys, by this runner
    Verdict verdict_;
    bool warm_ = false;
};

/// The job of a combination's candidate with a seed.
SweepJob job_of(const SweepInputs& swept, const Combination& combination, const Candidate& candidate,
                std::uint64_t seed, const std::string& below);

} // namespace hogwild
