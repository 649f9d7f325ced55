#include "experiments/sweep/sweep.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "experiments/command_compare.h"
#include "experiments/durable.h"
#include "experiments/numbers.h"
#include "experiments/plots.h"
#include "experiments/sweep/choices.h"
#include "experiments/sweep/estimate.h"
#include "experiments/sweep/run_words.h"
#include "experiments/sweep/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace hogwild {
namespace {

/// The final seeds of this shard.
std::vector<std::uint64_t> seeds_of(const Spec& spec, const Shard& shard) {
    std::vector<std::uint64_t> seeds;
    for (std::size_t i = shard.number - 1; i < spec.seeds.size(); i += shard.of)
        seeds.push_back(parse_count(spec.seeds[i]).value());
    if (seeds.empty()) {
        throw Error(Failure::kUsage, fmt::format("--shard {}/{} is empty", shard.number, shard.of),
                    fmt::format("there are {} final seeds, and a shard takes whole ones", spec.seeds.size()),
                    "take fewer shards, or more seeds");
    }
    return seeds;
}

std::string journal_name(const Shard& shard) {
    return shard.of == 1 ? "journal" : fmt::format("journal-{}of{}", shard.number, shard.of);
}

/// "-2of4" before a file's ending.
std::string shard_file(const std::string& stem, const Shard& shard) {
    return shard.of == 1 ? stem + ".csv" : fmt::format("{}-{}of{}.csv", stem, shard.number, shard.of);
}

class Sweep {
public:
    Sweep(const SweepOptions& options, const Spec& spec, const std::filesystem::path& path)
        : options_(options),
          spec_(spec),
          seeds_(seeds_of(spec, options.shard)),
          folder_(path),
          journal_(path, journal_name(options.shard)),
          runner_(folder_, journal_, interrupt_, options.runner) {}

    int run() {
        interrupt_.arm();
        if (folder_.keep_spec(spec_.text))
            say("note: the sweep's file has changed; runs that it no longer asks for keep their folders and leave the "
                "tables");
        bool whole = true;
        for (const auto& settings : by_samples(cases(spec_))) whole = whole && run_on(settings);
        write_tables(whole);
        if (whole && options_.shard.of == 1 && !options_.tune_only) conclude();
        say("results: " + folder_.path().string());
        return exit_code();
    }

private:
    void say(const std::string& line) const {
        if (!options_.runner.quiet) fmt::print(stderr, "{}\n", line);
    }

    /// All runs on one dataset. False: the sweep was stopped.
    bool run_on(const std::vector<Case>& settings) {
        Ground ground(settings, candidates(spec_));
        for (const std::string& note : ground.notes()) say(note);
        Tuner tuner(spec_, ground, runner_, options_.shard.of == 1);
        const auto chosen = tuner.tune();
        for (const Job& trial : tuner.trials()) trials_.push_back(trial);
        if (!chosen) return false;
        const std::vector<Combination>& combinations = tuner.combinations();
        if (options_.tune_only) return true;
        if (!spec_.tuning.empty()) choices_ += choices_text(combinations, *chosen);
        std::vector<Job> jobs;
        for (std::size_t i = 0; i < combinations.size(); ++i) {
            for (const std::uint64_t seed : seeds_) {
                const Candidate& best = combinations[i].candidates[(*chosen)[i].candidate];
                jobs.push_back(job_of(ground, combinations[i], best, seed, ""));
            }
        }
        finals_.insert(finals_.end(), jobs.begin(), jobs.end());
        return runner_.run(ground, jobs);
    }

    /// Verdicts and the report, from the files alone. What cannot be said is said, and no failure: the results are there.
    void conclude() const {
        const auto attempt = [&](const char* what, const auto& work) {
            try {
                work();
            } catch (const Error& error) {
                if (error.failure() == Failure::kDisk) throw;
                say(fmt::format("no {}: {}", what, error.what()));
            }
        };
        const std::string folder = folder_.path().string();
        attempt("verdicts", [&] {
            compare_command(
                {.folders = {folder}, .against = {}, .fail_if_slower = {}, .output = folder, .csv = "", .json = false});
        });
        if (options_.report) attempt("report", [&] { write_report(folder, "page"); });
    }

    /// Those of a sweep that was stopped only where there are none yet: they would hold less than the last ones.
    void write_tables(bool whole) const {
        const auto table = [&](const std::string& file, const std::vector<Job>& jobs) {
            if (whole || !std::filesystem::exists(folder_.path() / file)) folder_.write_summary(file, recorded(jobs));
        };
        table(shard_file("tuning/summary", options_.shard), trials_);
        if (options_.tune_only) return;
        table(shard_file("summary", options_.shard), finals_);
        if (choices_.empty() || !whole) return;
        const auto file = folder_.path() / shard_file("choices", options_.shard);
        write_file(folder_.path() / ".choices", choices_);
        publish(folder_.path() / ".choices", file);
    }

    /// Of all final runs, whenever they ran; of trials only those that failed: a grid may well hold steps that diverge.
    int exit_code() const {
        Verdict verdict = runner_.verdict();
        for (const Job& job : finals_) {
            const Ended* ended = runner_.ended(job);
            verdict.run_failed |= ended != nullptr && ended->status == "failed";
            verdict.diverged |= ended != nullptr && ended->status == "diverged";
        }
        return verdict.exit_code();
    }

    std::vector<std::string> recorded(const std::vector<Job>& jobs) const {
        std::vector<std::string> runs;
        for (const Job& job : jobs) {
            const Ended* ended = runner_.ended(job);
            if (ended != nullptr && std::ranges::find(runs, ended->run) == runs.end()) runs.push_back(ended->run);
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
    std::vector<Job> trials_, finals_;
    std::string choices_;
};

/// The plan, its size and how long it may take, on standard output.
int describe_sweep(const SweepOptions& options, const Spec& spec, const std::filesystem::path& path) {
    const std::vector<std::uint64_t> seeds = seeds_of(spec, options.shard);
    const unsigned cores = core_budget().usable;
    std::string text;
    double seconds = 0;
    std::size_t runs = 0, trials = 0, combinations = 0;
    for (const auto& settings : by_samples(cases(spec))) {
        const Ground ground(settings, candidates(spec));
        for (const std::string& note : ground.notes()) text += note + '\n';
        for (const Combination& combination : ground.combinations()) {
            const std::uint64_t nonzeros = ground.origin().train.view().nonzeros();
            const double each = predicted_seconds(combination.candidates[0].plan, nonzeros, cores);
            const std::size_t tried =
                combination.candidates.size() > 1 ? combination.candidates.size() * spec.tuning_seeds.size() : 0;
            text += fmt::format("  {}: {} + {} x {}\n", describe(combination.candidates[0].plan),
                                tried == 0 ? "no trials" : fmt::format("{} trials", tried), seeds.size(),
                                human_seconds(each));
            seconds += each * static_cast<double>(tried + seeds.size());
            runs += seeds.size();
            trials += tried;
            ++combinations;
        }
    }
    text += fmt::format(
        "{} combinations, {} trials and {} final runs, about {} (within a factor of two or three), into {}\n",
        combinations, trials, runs, human_seconds(seconds), path.string());
    print(text);
    return kExitDone;
}

} // namespace

Shard parse_shard(const std::string& text) {
    const auto slash = text.find('/');
    const auto number = parse_count(std::string_view(text).substr(0, slash));
    const auto of = slash == std::string::npos ? std::nullopt : parse_count(std::string_view(text).substr(slash + 1));
    if (!number || !of || *number == 0 || *number > *of || *of > 10'000) {
        throw Error(Failure::kUsage, "--shard cannot be '" + text + "'", "it is no i/n with i from 1 to n",
                    "write it like 2/4");
    }
    return {static_cast<unsigned>(*number), static_cast<unsigned>(*of)};
}

void make_small(Spec& spec) {
    const std::string tiny = "synthetic:rows=400,features=100,nonzeros=8";
    std::erase_if(spec.axes, [](const Choice& axis) { return axis.option == "data"; });
    spec.run.push_back({"data", tiny});
    spec.seeds.resize(1);
    spec.tuning_seeds.resize(1);
    for (Choice& list : spec.tuning) list.values.resize(std::min<std::size_t>(list.values.size(), 2));
    Override all{{}, {{"epochs", "2"}}};
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
        spec.text += "\n# --smoke\n";
    }
    if (cases(spec).empty()) {
        throw Error(Failure::kUsage, "nothing is left to run", options.file.string() + " excludes every combination",
                    "exclude less");
    }
    const std::filesystem::path path =
        options.output.empty() ? std::filesystem::path("hogwild-out") / name : options.output;
    return options.dry_run ? describe_sweep(options, spec, path) : Sweep(options, spec, path).run();
}

} // namespace hogwild
