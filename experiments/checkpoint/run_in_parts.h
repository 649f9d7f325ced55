// A run that another process can go on with: `hogwild run -o DIR --checkpoint every 30s`, killed, and again with --resume.
//
// DIR/checkpoint holds what was observed so far (experiments/checkpoint/checkpoint_file.h). After a kill that is up to
// the last `every` before it, after an interrupt up to the last observation. So a run that observes less often loses
// more. It is removed when the run has come to its end, and all that was asked for is written. DIR/lock keeps other
// processes away.
// A checkpoint is an observation, copied while workers run. That costs deterministic schemes nothing, and others a
// bounded number of samples (unsure_samples of engine/run.h).
// Not thread-safe. Errors: those of the checkpoint file.
#pragma once

#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/checkpoint/checkpointer.h"
#include "experiments/files/folder_lock.h"
#include "experiments/folder/manifest.h"
#include "experiments/inputs/inputs.h"
#include "experiments/options/options.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json_fwd.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

/// Before samples are loaded: whether results can go where --output says. A folder with a checkpoint takes --resume alone.
void check_output(const RunOptions& options);

/// Refuses what has no checkpoints: several runs, a GPU, telemetry. Errors: Error (Failure::kUsage).
void check_parts(const RunOptions& options, const std::vector<Plan>& plans);

/// How this very run ended, if the folder that --resume names holds its result and all that was asked for. Nothing
/// where it has not ended. Errors: Error (Failure::kUsage) for results of another plan, other samples or another
/// target, for those that lack a file, and for weights that are not known to be kept.
std::optional<Verdict> how_it_ended(const RunOptions& options, const Plan& plan, const Inputs& inputs);

class RunInParts {
public:
    /// One run in parts. It goes on with what `folder` holds, if --resume is given; it begins otherwise.
    RunInParts(const RunOptions& options, const std::filesystem::path& folder, const Plan& plan, const Origin& origin);

    /// What it goes on from; null: it begins.
    const Part* before() const { return earlier_ ? &before_ : nullptr; }

    /// Where snapshots go.
    SnapshotSink* sink() { return &*checkpointer_; }

    /// For a person: where checkpoints go, what the run goes on from.
    std::vector<std::string> notes() const;

    /// For manifest.json. For each later part: after how many updates and seconds it went on, and how many samples are
    /// unsure there. Also the machine and the build that ran the part before it. Empty where the run has one part.
    Json later_parts() const;

    /// The run has come to its end, and all that was asked of it is kept; or, of one that began here, nothing was measured.
    void finish();

    bool has_written_all() const { return checkpointer_->has_written_all(); }

private:
    FolderLock lock_;
    double every_;
    bool resumes_;
    std::filesystem::path path_;
    Plan plan_;
    std::uint64_t rows_;
    std::optional<Checkpoint> earlier_;
    Part before_;
    std::optional<Checkpointer> checkpointer_;
};

} // namespace hogwild
