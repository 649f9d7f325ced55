// Runs the plans of one command one after another, and keeps what they measured: in memory and on disk after each.
//
// Not thread-safe; one session at a time, because an engine run is one at a time.
#pragma once

#include "engine/data/dataset.h"
#include "engine/plan/plan.h"
#include "experiments/checkpoint/run_in_parts.h"
#include "experiments/folder/manifest.h"
#include "experiments/folder/result.h"
#include "experiments/folder/results_folder.h"
#include "experiments/options/options.h"
#include "experiments/session/interrupt.h"
#include "experiments/session/trial.h"
#include "experiments/targets/objectives.h"
#include "experiments/text/exit_code.h"

#include <optional>
#include <utility>
#include <vector>

namespace hogwild {

class Session {
public:
    /// `folder`: where results are kept on disk; null: nowhere. `parts`: of the one run that may be gone on with; null: none.
    Session(const RunOptions& options, const Origin& origin, const Objectives& objectives, ResultsFolder* folder,
            const Interrupt& interrupt, RunInParts* parts = nullptr);

    /// Runs a shortened first plan and forgets it: pages are touched, caches filled, the processor is awake.
    void warm_up(const Plan& plan);

    /// Runs one plan, and keeps nothing of it.
    Outcome attempt(const Plan& plan, const std::string& title) { return attempt(plan, title, objectives_.of(plan)); }

    /// Runs one plan as `name` and keeps what it measured on disk, not in memory. It is one of many trials, and nobody
    /// asks whether it reached anything. `title` stands before its progress, `about` at the end of its manifest.
    /// Errors: Error (Failure::kDisk).
    Result trial(const Plan& plan, const std::string& name, const std::string& title, const Json& about);

    /// Runs plans[i] for i in `order`, until all are done, a signal arrives, or the disk refuses.
    void measure(const std::vector<Plan>& plans, const std::vector<std::size_t>& order);

    /// What was measured, in the order of the plans.
    std::vector<Result> results() const;

    const Verdict& verdict() const { return verdict_; }

    /// The final weights of the last run, where they are to be saved: on the samples of its placement. Empty if it failed.
    std::vector<float> take_weights() { return std::move(weights_); }

private:
    Outcome attempt(const Plan& plan, const std::string& title, const Objective& objective,
                    RunInParts* parts = nullptr);
    void keep(std::size_t position, Result result, const std::string& started);

    const RunOptions& options_;
    const Origin& origin_;
    const Objectives& objectives_;
    ResultsFolder* folder_;
    const Interrupt& interrupt_;
    RunInParts* parts_;
    std::vector<std::pair<std::size_t, Result>> results_; // with the position of their plan
    std::optional<Trials> trials_;                        // once a run wants a process of its own
    Verdict verdict_;
    std::vector<float> weights_;
};

} // namespace hogwild
