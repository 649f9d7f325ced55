#include "experiments/checkpoint/run_in_parts.h"

#include "engine/called.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/record/status.h"
#include "experiments/checkpoint/kept_weights.h"
#include "experiments/folder/results_folder.h"
#include "experiments/folder/run_files.h"
#include "experiments/folder/run_key.h"
#include "experiments/folder/summary_rows.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace hogwild {
namespace {

constexpr const char* kFile = "checkpoint";
constexpr double kEvery = 30; // seconds, where --resume stands alone

bool wanted(const RunOptions& options) { return options.checkpoint || options.resume; }

unsigned number_of_part(const std::optional<Checkpoint>& earlier) {
    return earlier ? earlier->parts.back().at("number").get<unsigned>() + 1 : 1;
}

std::unique_ptr<CheckpointFile> file_of(const std::filesystem::path& path, const std::optional<Checkpoint>& earlier,
                                        const Plan& plan, const Origin& origin) {
    const Json part{{"number", number_of_part(earlier)},
                    {"cpu", origin.machine.at("cpu")},
                    {"cores", origin.machine.at("cores")},
                    {"commit", origin.build.at("commit")}};
    return earlier ? std::make_unique<CheckpointFile>(path, part, earlier->columns)
                   : std::make_unique<CheckpointFile>(path, plan, origin.train, part);
}

/// The row of the folder's one run, if that has this key and ended by itself. Throws where a file of it is gone.
std::optional<SummaryRow> result_of(const std::filesystem::path& folder, const std::string& key) {
    Summary summary = read_summary(folder.string(), {"run", "status"});
    if (summary.rows.size() != 1) return {};
    SummaryRow& row = summary.rows[0];
    if (!status_traits(row.text("status")).ended_by_itself()) return {};
    if (const std::string lacks = lacks_of_run(folder / row.text("run"), row); !lacks.empty()) {
        throw Error(Failure::kUsage, fmt::format("{} holds a part of a run that has ended", folder.string()),
                    fmt::format("{}/{}", row.text("run"), lacks),
                    "restore the file from a copy, or run it again in another folder, with -o DIR");
    }
    const Json manifest = json_at(folder / row.text("run") / "manifest.json");
    if (!manifest.is_object() || manifest.value("key", Json()) != key) return {};
    return std::move(row);
}

/// What --resume cannot give once more, of a run that has ended.
void check_kept(const RunOptions& options, const Inputs& inputs, const std::filesystem::path& run) {
    if (options.json) {
        throw Error(Failure::kUsage, "--json cannot print the run once more",
                    fmt::format("the run in {} has ended, and what it printed is gone", options.output),
                    fmt::format("read its row in {}", (run.parent_path() / "summary.csv").string()));
    }
    if (options.save.empty()) return;
    if (has_weights(run, options.save, weights_form(options.save, options.grid, inputs.train.view().groups()))) return;
    const bool there = std::filesystem::exists(options.save);
    throw Error(Failure::kUsage, fmt::format("--save {} cannot keep the weights", options.save),
                fmt::format("the run in {} has ended, and {}", options.output,
                            there ? "what that file holds is not known to be its weights in this form"
                                  : "its weights were not kept"),
                "run it again in another folder, with -o DIR");
}

} // namespace

void check_output(const RunOptions& options) {
    const std::filesystem::path folder = options.output;
    if (options.resume && options.output.empty()) {
        throw Error(Failure::kUsage, "--resume does not know the run", "it goes on in the folder of an earlier one",
                    "name it with -o DIR");
    }
    const bool stopped = !options.output.empty() && std::filesystem::exists(folder / kFile);
    if (stopped && !options.resume) {
        throw Error(Failure::kUsage, folder.string() + " holds the checkpoint of a run",
                    "it was stopped before its end",
                    "add --resume to go on with it, or name another folder with -o DIR");
    }
    if (!options.resume) ResultsFolder::check(options.output);
}

void check_parts(const RunOptions& options, const std::vector<Plan>& plans) {
    if (!wanted(options)) return;
    const std::string option = options.checkpoint ? "--checkpoint" : "--resume";
    if (plans.size() > 1) {
        throw Error(Failure::kUsage, option + " cannot be kept", fmt::format("there are {} runs", plans.size()),
                    fmt::format("give every axis one value; `{} sweep` goes on with many runs", called()));
    }
    if (has_auto(options.axes.texts("hot_updates"))) {
        throw Error(Failure::kUsage, option + " cannot be kept",
                    "--hot-updates auto depends on a time that is measured anew, and may choose another run",
                    "use --hot-updates direct");
    }
    if (const std::string why = why_not_go_on(plans[0]); !why.empty())
        throw Error(Failure::kUsage, option + " cannot be kept", why, "leave it out");
}

std::optional<Verdict> how_it_ended(const RunOptions& options, const Plan& plan, const Inputs& inputs) {
    const std::filesystem::path folder = options.output;
    if (!options.resume) return {};
    const bool holds_results = ResultsFolder::holds_results(folder); // also beside a checkpoint: it throws
    if (!holds_results || std::filesystem::exists(folder / kFile)) return {};
    const Dataset* const test = inputs.test ? &*inputs.test : nullptr;
    const auto row = result_of(folder, run_key(plan, inputs.train, test, asked_text(options.target, options.optimum)));
    if (!row) {
        throw Error(Failure::kUsage, folder.string() + " already holds results",
                    "they are not of a run of this plan, these samples and this target that came to its end",
                    "repeat what it was begun with, or name another folder with -o DIR");
    }
    check_kept(options, inputs, folder / row->text("run"));
    Verdict verdict;
    verdict.add(status_traits(row->text("status")));
    verdict.missed_target = !row->text("target").empty() && row->text("seconds_to_target").empty();
    return verdict;
}

RunInParts::RunInParts(const RunOptions& options, const std::filesystem::path& folder, const Plan& plan,
                       const Origin& origin)
    : lock_(folder),
      every_(options.checkpoint.value_or(kEvery)),
      resumes_(options.resume),
      path_(folder / kFile),
      plan_(plan),
      rows_(origin.train.view().rows()) {
    if (resumes_) earlier_ = read_checkpoint(path_, plan, origin.train);
    if (earlier_) before_ = {earlier_->snapshots, earlier_->losses, earlier_->columns};
    checkpointer_.emplace(file_of(path_, earlier_, plan, origin), every_);
}

std::vector<std::string> RunInParts::notes() const {
    std::vector<std::string> notes;
    if (earlier_) {
        const Snapshot& last = earlier_->snapshots.back();
        notes.push_back(fmt::format(
            "resumed: part {} goes on after {} updates ({:.2f} epochs) and {} of the clock", number_of_part(earlier_),
            last.updates, static_cast<double>(last.updates) / static_cast<double>(rows_), human_seconds(last.ended)));
        if (const std::uint64_t unsure = unsure_samples(plan_, rows_, last); unsure > 0)
            notes.push_back(
                fmt::format("        at most {} samples before are left out, and as many are taken twice", unsure));
    } else if (resumes_) {
        notes.push_back("nothing to resume: the run begins");
    }
    notes.push_back(fmt::format("checkpoint: {}, what was observed, every {}", path_.string(), human_seconds(every_)));
    return notes;
}

Json RunInParts::later_parts() const {
    Json parts = Json::array();
    for (std::size_t i = 0; earlier_ && i < earlier_->snapshots.size(); ++i) {
        const bool last = i + 1 == earlier_->snapshots.size();
        if (!last && earlier_->parts[i + 1] == earlier_->parts[i]) continue;
        const Snapshot& from = earlier_->snapshots[i];
        Json before = earlier_->parts[i];
        before.erase("number");
        parts.push_back({{"updates", from.updates},
                         {"seconds", from.ended},
                         {"unsure_samples", unsure_samples(plan_, rows_, from)},
                         {"before", before}});
    }
    return parts;
}

void RunInParts::finish() {
    std::error_code error; // what stays is no harm: its run is known to have ended
    std::filesystem::remove(path_, error);
    std::filesystem::remove(path_.parent_path() / FolderLock::kFile, error);
}

} // namespace hogwild
