#include "experiments/sweep/sweep.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/provenance.h"
#include "engine/measure/measure.h"
#include "engine/numbers.h"
#include "engine/plan/plan.h"
#include "experiments/files/durable.h"
#include "experiments/folder/apart_from_results.h"
#include "experiments/folder/manifest.h"
#include "experiments/folder/result.h"
#include "experiments/machine/capabilities_json.h"
#include "experiments/scripts/exports.h"
#include "experiments/sweep/choices.h"
#include "experiments/sweep/conclude.h"
#include "experiments/sweep/dry_run.h"
#include "experiments/sweep/missing_data.h"
#include "experiments/sweep/screen.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/sweep/tuner.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace hogwild {
namespace {

class Sweep {
public:
    Sweep(const SweepOptions& options, const Spec& spec, const std::filesystem::path& path)
        : options_(options),
          spec_(spec),
          seeds_(seeds_of(spec, options.shard)),
          folder_(path),
          journal_(path, shard_file("journal", options.shard, "")),
          runner_(folder_, journal_, interrupt_, options.runner) {}

    int run() {
        interrupt_.arm();
        if (folder_.keep_spec(spec_.text))
            say("note: the sweep's file has changed; runs that it no longer asks for keep their folders and leave the "
                "tables");
        for (const MissingData& missing : spec_.left_out) say(missing.note);
        for (const std::string& note : old_spellings(spec_)) say(note);
        for (const std::string& note : idle_conditions(spec_)) say(note);
        bool whole = true;
        for (const auto& settings : by_samples(cases(spec_))) whole = whole && run_on(settings);
        write_tables(whole);
        if (whole && options_.shard.of == 1 && !options_.tune_only)
            concluded_ = conclude(folder_.path(), {options_.report, options_.tensorboard, options_.runner.quiet});
        say("results: " + folder_.path().string());
        return exit_code();
    }

private:
    void say(const std::string& line) const {
        if (!options_.runner.quiet) tell("{}\n", line);
    }

    /// The numbers of CPU threads that are asked for.
    std::vector<unsigned> numbers_of_workers() const {
        std::vector<unsigned> numbers;
        for (const Case& settings : cases(spec_)) {
            const std::string* threads = value_of(settings, "threads");
            const auto count = threads != nullptr ? parse_count(*threads) : std::nullopt;
            if (count && *count <= usable_cores()) numbers.push_back(static_cast<unsigned>(*count));
        }
        return numbers;
    }

    /// What this machine can do, once: figures say what share of it the runs reached.
    void keep_ceilings() const {
        const auto file = folder_.path() / shard_file("ceilings", options_.shard, ".json");
        if (std::filesystem::exists(file)) return;
        say("measuring what this machine can do, some seconds");
        const Provenance provenance = read_provenance();
        const Json json{{"machine", machine_json(provenance.machine, provenance.topology)},
                        {"measured", capabilities_json(measure_capabilities(numbers_of_workers()))}};
        replace_file(file, json_text(json) + '\n');
    }

    /// All runs on one dataset. False: the sweep was stopped.
    bool run_on(const std::vector<Case>& settings) {
        SweepInputs swept(
            settings, [&](const Case& each) { return candidates(spec_, each); }, spec_.candidates);
        swept.prepare(folder_.path() / "optima");
        for (const std::string& note : swept.notes()) say(note);
        if (options_.report && !options_.smoke) keep_ceilings();
        Tuner tuner(spec_, swept, runner_, options_.shard.of == 1);
        const auto chosen = tuner.tune();
        for (const SweepJob& trial : tuner.trials()) trials_.push_back(trial);
        if (!chosen) return false;
        const std::vector<Combination>& combinations = tuner.combinations();
        if (options_.tune_only) return true;
        if (spec_.chooses()) choices_ += choices_lines(combinations, *chosen, swept.train().name());
        std::vector<SweepJob> jobs;
        for (const std::size_t i : kept(swept, combinations, *chosen)) {
            const std::vector<std::size_t>& ranked = (*chosen)[i].ranked;
            const std::size_t finalists = spec_.finalists_of(combinations[i].candidates.front().plan.scheme);
            for (std::size_t at = 0; at < std::min(finalists, ranked.size()); ++at) {
                for (const std::uint64_t seed : seeds_)
                    jobs.push_back(job_of(swept, combinations[i], combinations[i].candidates[ranked[at]], seed, ""));
            }
        }
        finals_.insert(finals_.end(), jobs.begin(), jobs.end());
        return runner_.run(swept, jobs);
    }

    /// The combinations that get final runs.
    std::vector<std::size_t> kept(const SweepInputs& swept, const std::vector<Combination>& combinations,
                                  const std::vector<Chosen>& chosen) const {
        const Plan& first = combinations.front().candidates.front().plan;
        const bool rising = watched(first, swept.objective(first).target_of).rising;
        const Screened found = screened(spec_.screen.value_or(ByKind{}), combinations, chosen, rising);
        for (const std::string& note : found.notes) say(note);
        return found.kept;
    }

    /// Those of a sweep that was stopped only where there are none yet: they would hold less than the last ones.
    void write_tables(bool whole) const {
        const auto table = [&](const std::string& file, const std::vector<SweepJob>& jobs) {
            if (whole || !std::filesystem::exists(folder_.path() / file)) folder_.write_summary(file, recorded(jobs));
        };
        table(shard_file("tuning/summary", options_.shard, ".csv"), trials_);
        if (options_.tune_only) return;
        table(shard_file("summary", options_.shard, ".csv"), finals_);
        if (choices_.empty() || !whole) return;
        const auto file = folder_.path() / shard_file("choices", options_.shard, ".csv");
        replace_file(file, choices_header() + choices_);
    }

    /// The exit code of what could not be written, else of all final runs, whenever they ran. Among trials only those
    /// that failed count: a grid may well hold steps that diverge.
    int exit_code() const {
        Verdict verdict = runner_.verdict();
        const bool stopped = interrupt_.requested().load(std::memory_order_relaxed);
        verdict.interrupted |= concluded_ != kExitDone && stopped; // it ended the script, too
        verdict.disk_failed |= concluded_ == kExitDisk;
        for (const SweepJob& job : finals_) {
            const Ended* ended = runner_.ended(job);
            if (ended != nullptr) verdict.add(status_traits(ended->status));
        }
        const int code = verdict.exit_code();
        return code == kExitDone ? concluded_ : code;
    }

    std::vector<std::string> recorded(const std::vector<SweepJob>& jobs) const {
        std::vector<std::string> runs;
        std::set<std::string> seen;
        for (const SweepJob& job : jobs) {
            const Ended* ended = runner_.ended(job);
            const bool kept = ended != nullptr && folder_.has(ended->run); // a folder may have been taken away
            if (kept && seen.insert(ended->run).second) runs.push_back(ended->run);
        }
        return runs;
    }

    const SweepOptions& options_;
    const Spec& spec_;
    std::vector<std::uint64_t> seeds_;
    Interrupt interrupt_;
    SweepFolder folder_;
    Journal journal_;
    Runner runner_;
    std::vector<SweepJob> trials_, finals_;
    std::string choices_;       // rows
    int concluded_ = kExitDone; // exit code of conclude()
};

/// Better to fail before the runs than after.
void check_tensorboard(const SweepOptions& options, const std::filesystem::path& path) {
    if (options.shard.of > 1 || options.tune_only) {
        throw Error(Failure::kUsage, "--tensorboard cannot go with --shard or --tune-only",
                    "a part of a sweep has no table of its runs yet", "give it to the command that ends the sweep");
    }
    check_apart_from_results("--tensorboard", options.tensorboard, path.string());
    check_event_files(options.tensorboard, true);
}

} // namespace

void make_small(Spec& spec) {
    std::erase_if(spec.axes, [](const Choice& axis) { return names_data(axis.option); });
    spec.run.push_back({"data", "synthetic:tiny"});
    spec.seeds.resize(1);
    spec.tuning_seeds.resize(1);
    spec.candidates = std::min<std::size_t>(spec.candidates, 2);
    const auto shorten = [](std::vector<Choice>& lists) {
        for (Choice& list : lists) list.values.resize(std::min<std::size_t>(list.values.size(), 2));
    };
    shorten(spec.tuning);
    for (Override& change : spec.overrides) shorten(change.tune);
    Override all{{}, {{"epochs", "2"}}, {}};
    const auto tested = [](const Setting& setting) { return setting.option == "test"; };
    if (std::ranges::any_of(spec.run, tested)) all.set.push_back({"test", "held-out"});
    spec.overrides.push_back(all);
}

int sweep(const SweepOptions& options) {
    Spec spec = read_spec(options.file, options.changes);
    std::string name = options.file.stem();
    for (const std::string& change : options.changes) spec.text += "\n# --set " + change + '\n';
    if (options.smoke) {
        make_small(spec);
        name += "-smoke";
    }
    check_runs(spec);
    if (cases(spec).empty()) {
        throw Error(Failure::kUsage, "nothing is left to run", options.file.string() + " excludes every combination",
                    "exclude less");
    }
    const auto no_data = [](const Case& settings) { return value_of(settings, "data") == nullptr; };
    if (std::ranges::any_of(cases(spec), no_data)) {
        throw Error(Failure::kUsage, options.file.string() + " names no data", "there is nothing to train on",
                    "set `data` in [run], like data = \"synthetic:rcv1/20\"");
    }
    if (spec.goes_on_without_data) leave_out_missing(spec);
    if (options.smoke) spec.text += kSmokeMark;
    const std::filesystem::path path =
        options.output.empty() ? std::filesystem::path("hogwild-out") / name : options.output;
    if (!options.tensorboard.empty()) check_tensorboard(options, path);
    return options.dry_run ? hogwild::dry_run(options, spec, path) : Sweep(options, spec, path).run();
}

} // namespace hogwild
