#include "experiments/checkpoint/run_in_parts.h"

#include "engine/error.h"
#include "experiments/json.h"
#include "experiments/numbers.h"
#include "experiments/results_folder.h"

#include <fmt/format.h>

#include <utility>

namespace hogwild {
namespace {

constexpr const char* kFile = "checkpoint";

bool wanted(const RunOptions& options) { return options.checkpoint || options.resume; }

unsigned part_of(const std::optional<Checkpoint>& earlier) { return earlier ? earlier->parts.back() + 1 : 1; }

std::unique_ptr<CheckpointFile> file_of(const std::filesystem::path& path, const std::optional<Checkpoint>& earlier,
                                        const Plan& plan, const Dataset& train) {
    return earlier ? std::make_unique<CheckpointFile>(path, part_of(earlier), train.view().columns)
                   : std::make_unique<CheckpointFile>(path, plan, train);
}

} // namespace

void check_parts(const RunOptions& options, const std::vector<Plan>& plans) {
    if (!wanted(options)) return;
    const std::string option = options.checkpoint ? "--checkpoint" : "--resume";
    if (plans.size() > 1) {
        throw Error(Failure::kUsage, option + " cannot be kept", fmt::format("there are {} runs", plans.size()),
                    "give every axis one value; `hogwild sweep` goes on with many runs");
    }
    if (const std::string why = why_not_go_on(plans[0]); !why.empty())
        throw Error(Failure::kUsage, option + " cannot be kept", why, "leave it out");
}

bool has_nothing_to_resume(const RunOptions& options) {
    if (!options.resume) return false;
    if (options.output.empty()) {
        throw Error(Failure::kUsage, "--resume does not know the run", "it goes on in the folder of an earlier one",
                    "name it with -o DIR");
    }
    const std::filesystem::path folder = options.output;
    return !std::filesystem::exists(folder / kFile) && ResultsFolder::holds_results(folder);
}

RunInParts::RunInParts(const RunOptions& options, const std::filesystem::path& folder, const Plan& plan,
                       const Dataset& train)
    : options_(options), path_(folder / kFile), plan_(plan), rows_(train.view().rows) {
    if (options.resume) earlier_ = read_checkpoint(path_, plan, train);
    if (earlier_) before_ = {earlier_->snapshots, earlier_->losses};
    if (options.checkpoint)
        checkpointer_ = std::make_unique<Checkpointer>(file_of(path_, earlier_, plan, train), *options.checkpoint);
}

std::vector<std::string> RunInParts::notes() const {
    std::vector<std::string> notes;
    if (earlier_) {
        const Snapshot& last = earlier_->snapshots.back();
        notes.push_back(fmt::format(
            "resumed: part {} goes on after {} updates ({:.2f} epochs) and {} of the clock", part_of(earlier_),
            last.updates, static_cast<double>(last.updates) / static_cast<double>(rows_), human_seconds(last.seconds)));
        if (const std::uint64_t unsure = unsure_samples(plan_, rows_, last); unsure > 0)
            notes.push_back(
                fmt::format("        at most {} samples before are left out, and as many are taken twice", unsure));
    } else if (options_.resume) {
        notes.push_back("nothing to resume: the run begins");
    }
    if (checkpointer_)
        notes.push_back(fmt::format("checkpoint: {}, what was observed, every {}", path_.string(),
                                    human_seconds(*options_.checkpoint)));
    return notes;
}

Json RunInParts::later_parts() const {
    Json parts = Json::array();
    for (std::size_t i = 0; earlier_ && i < earlier_->snapshots.size(); ++i) {
        const bool last = i + 1 == earlier_->snapshots.size();
        if (!last && earlier_->parts[i + 1] == earlier_->parts[i]) continue;
        const Snapshot& from = earlier_->snapshots[i];
        parts.push_back({{"updates", from.updates},
                         {"seconds", from.seconds + from.copy_seconds},
                         {"unsure_samples", unsure_samples(plan_, rows_, from)}});
    }
    return parts;
}

void RunInParts::finish() {
    std::error_code error; // what stays is no harm: its run is known to have ended
    std::filesystem::remove(path_, error);
}

} // namespace hogwild
