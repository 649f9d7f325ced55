// A run in a process of its own. A GPU's sticky error, an exhausted memory or a crash ends that run and nothing else.
//
// The parent writes what to run to the child's standard input, and takes the outcome from its standard output; the samples are
// shared (experiments/session/shared_samples.h). A child dies with its parent.
// Thread-safety: one trial at a time. Errors: none thrown by a child that fails: its outcome says "failed" and why.
#pragma once

#include "engine/record/outcome.h"
#include "experiments/inputs/placements.h"
#include "experiments/session/shared_samples.h"
#include "experiments/session/shared_weights.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// The command by which the program starts itself for a trial.
inline constexpr std::string_view kTrialCommand = "trial";

/// How long a run may take, in seconds.
struct Patience {
    static constexpr double kEndless = std::numeric_limits<double>::infinity();
    double limit = kEndless; // then it is interrupted, and has failed
    double grace = kEndless; // an interrupted run evaluates what it observed; then it is killed
};

class Trials {
public:
    /// `program` is started for each trial: this one, or in tests the built one.
    explicit Trials(const Placements& placements, std::string program = "/proc/self/exe");
    ~Trials();
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    /// Runs `plan` in a child. `optimum`: as RunInputs. An interrupt is handed on to the child.
    Outcome run(const Plan& plan, double optimum, const std::atomic<bool>& interrupt, const Patience& patience = {});

    /// Samples that the running child has consumed.
    std::atomic<std::uint64_t>& progress() { return *progress_; }

private:
    struct Shared {
        std::unique_ptr<SharedSamples> train, test, shuffled;
    };

    const Shared& shared(const Plan& plan);

    const Placements& placements_;
    std::string program_;
    std::map<Placements::Key, Shared> shared_;
    SharedWeights weights_;
    int progress_file_;
    std::atomic<std::uint64_t>* progress_; // mapped, as the child maps it
};

/// The child: runs what standard input says, prints the outcome. The exit code.
int trial_command();

} // namespace hogwild
