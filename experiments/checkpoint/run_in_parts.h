// A run that another process can go on with: `hogwild run -o DIR --checkpoint every 30s`, killed, and again with --resume.
//
// DIR/checkpoint holds what was observed so far (experiments/checkpoint/checkpoint_file.h), up to the last `every` before a kill,
// up to the last observation after an interrupt. It is removed when the run has come to its end.
// A checkpoint is an observation, copied while workers run; what that costs is known of deterministic schemes, nothing, and
// bounded of others (unsure_samples of engine/run.h).
// Not thread-safe. Errors: those of the checkpoint file.
#pragma once

#include "engine/run.h"
#include "experiments/checkpoint/checkpointer.h"
#include "experiments/json_fwd.h"
#include "experiments/options.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

/// Refuses what has no checkpoints: several runs, a GPU, telemetry. Errors: Error (Failure::kUsage).
void check_parts(const RunOptions& options, const std::vector<Plan>& plans);

/// Whether --resume finds the result of a run that has come to its end.
bool has_nothing_to_resume(const RunOptions& options);

class RunInParts {
public:
    /// Of one run. Goes on with what `folder` holds, if --resume is given; begins otherwise.
    RunInParts(const RunOptions& options, const std::filesystem::path& folder, const Plan& plan, const Dataset& train);

    /// What it goes on from; null: it begins.
    const Part* before() const { return earlier_ ? &before_ : nullptr; }

    /// Where snapshots go; null: nowhere.
    SnapshotSink* sink() const { return checkpointer_.get(); }

    /// For a person: where checkpoints go, what the run goes on from.
    std::vector<std::string> notes() const;

    /// For manifest.json: of each later part after how many updates and seconds it went on, and how many samples are unsure
    /// there. Empty where the run has one part.
    Json later_parts() const;

    /// The run has come to its end, and its result is kept.
    void finish();

    bool has_written_all() const { return !checkpointer_ || checkpointer_->has_written_all(); }

private:
    const RunOptions& options_;
    std::filesystem::path path_;
    Plan plan_;
    std::uint64_t rows_;
    std::optional<Checkpoint> earlier_;
    Part before_;
    std::unique_ptr<Checkpointer> checkpointer_;
};

} // namespace hogwild
