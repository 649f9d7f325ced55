#include "experiments/sweep/runner.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/numbers.h"
#include "engine/plan/plan.h"
#include "experiments/cost/estimate.h"
#include "experiments/files/record_fields.h"
#include "experiments/folder/result.h"
#include "experiments/folder/results_folder.h"
#include "experiments/plans/hot_default.h"
#include "experiments/plans/product.h"
#include "experiments/session/failure.h"
#include "experiments/session/measured.h"
#include "experiments/session/progress.h"
#include "experiments/sweep/folder/build_identity.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/text/json.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include <unistd.h>

namespace hogwild {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr double kGrace = 10; // seconds; what an interrupted run observed would be dropped anyway

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

/// What the manifest of a run says of its end.
Ended ended_in(const Json& manifest, const std::string& run) {
    try {
        return ended_of(object_field(manifest, "ended"));
    } catch (const OddRecord& odd) {
        throw Error(Failure::kDisk, run + "/manifest.json does not say how its run ended", odd.what(),
                    "take that folder away, and it is run again");
    }
}

} // namespace

SweepJob job_of(const SweepInputs& swept, const Combination& combination, const Candidate& candidate,
                std::uint64_t seed, const std::string& below) {
    SweepJob job{combination.settings, candidate.plan, "", ""};
    job.settings.insert(job.settings.end(), candidate.tried.begin(), candidate.tried.end());
    job.plan.seed = seed;
    job.key = swept.key(job.plan);
    job.run = below + short_name(job.plan) + '-' + job.key;
    return job;
}

Runner::Runner(const SweepFolder& folder, Journal& journal, const Interrupt& interrupt, const RunnerOptions& options)
    : folder_(folder), journal_(journal), interrupt_(interrupt), options_(options), begun_(now()) {}

const Ended* Runner::ended(const SweepJob& job) const {
    const auto known = journal_.done().find(job.key);
    return known == journal_.done().end() ? nullptr : &known->second;
}

bool wants_again(const Ended& ended, Rerun rerun) {
    switch (rerun) {
    case Rerun::kNothing: return false;
    case Rerun::kFailed: return status_traits(ended.status).failed;
    case Rerun::kStale: return ended.build != build_identity();
    case Rerun::kAll: return true;
    }
    return false;
}

/// A crash may have come between a run's folder and the journal's word of it. A folder that holds what the journal said last
/// is the old result of a run that was begun once more.
void Runner::adopt(const SweepJob& job) {
    const Ended* known = ended(job);
    if (known != nullptr && !journal_.is_open(job.key)) return;
    const Json manifest = folder_.manifest(job.run);
    if (!manifest.is_object() || manifest.value("key", Json()) != job.key) return;
    const Ended found = ended_in(manifest, job.run);
    if (known == nullptr || *known != found) journal_.end(job.key, found);
}

std::vector<SweepJob> Runner::left(const std::vector<SweepJob>& jobs) {
    std::vector<SweepJob> left;
    std::set<std::string> seen;
    for (const SweepJob& job : jobs) {
        if (!seen.insert(job.key).second) continue; // two combinations may choose one plan
        adopt(job);
        const Ended* known = ended(job);
        const bool closed = known != nullptr && !journal_.is_open(job.key);
        const std::string lacks = closed ? folder_.lacks(known->run) : ""; // files may have been taken away
        if (!lacks.empty()) say(fmt::format("{} is run again: {}", known->run, lacks));
        const bool done = closed && lacks.empty();
        if (!done || (wants_again(*known, options_.rerun) && !ran_.contains(job.key))) left.push_back(job);
    }
    return left;
}

bool Runner::run(SweepInputs& swept, const std::vector<SweepJob>& jobs) {
    const std::vector<SweepJob> todo = left(jobs);
    std::vector<Plan> plans;
    for (const SweepJob& job : todo) plans.push_back(job.plan);
    const double begun = now();
    std::size_t done = 0;
    std::optional<std::uint64_t> seed;
    bool over = false; // the sitting
    for (const std::size_t i : interleaved(plans)) {
        if (!warm_) warm_up(swept, plans[i]);
        warm_ = true;
        const bool new_seed = !seed || *seed != plans[i].seed; // what is paired is measured in one go, on one machine
        over = new_seed && late();
        if (over || interrupted()) break;
        seed = plans[i].seed;
        std::string title = fmt::format("[{}/{}]", done + 1, todo.size());
        if (done > 0) {
            const double each = (now() - begun) / static_cast<double>(done);
            title += fmt::format(" {} left:", human_seconds(each * static_cast<double>(todo.size() - done)));
        }
        if (!run_one(swept, todo[i], title + ' ' + describe(todo[i].plan, swept.network()))) break;
        ++done;
        if (options_.fail_fast && verdict_.run_failed) break;
    }
    if (done < todo.size()) {
        verdict_.interrupted |= over || interrupted();
        const bool trials = todo[0].run.starts_with("tuning/");
        tell("{} of {} {} are left{}; the same command goes on with them\n", todo.size() - done, todo.size(),
             trials ? "trials" : "runs", trials ? ", and then the final runs" : "");
    }
    return done == todo.size() && !(options_.fail_fast && verdict_.run_failed);
}

bool Runner::interrupted() const { return interrupt_.requested().load(std::memory_order_relaxed); }

/// A command that ran something has gone on.
bool Runner::late() const { return !ran_.empty() && now() - begun_ >= options_.stop_after; }

/// A first run, whose result is dropped: pages are touched, caches filled, the processor is awake.
void Runner::warm_up(SweepInputs& swept, const Plan& plan) {
    Plan shortened = plan;
    shortened.epochs = 1;
    shortened.telemetry = "off";
    attempt(swept, shortened);
}

Outcome Runner::attempt(SweepInputs& swept, const Plan& plan) const {
    Outcome outcome = outcome_of_run([&] {
        const double predicted = predicted_seconds(plan, swept.train().view(), core_budget().usable);
        return swept.trials().run(plan, swept.objective(plan).optimum, interrupt_.requested(),
                                  {options_.timeout.value_or(longest_seconds(predicted)), kGrace});
    });
    if (status_traits(outcome.status).interrupted && !interrupted())
        return failure("somebody stopped its process by a signal");
    return outcome;
}

/// False: a signal came, and the run is as if it had not begun.
bool Runner::run_one(SweepInputs& swept, const SweepJob& job, const std::string& title) {
    const std::string started = utc_now();
    const double begun = now();
    const Objective& objective = swept.objective(job.plan);
    journal_.begin(job.key);
    Outcome outcome;
    {
        const double total = job.plan.epochs * static_cast<double>(swept.origin().train.view().rows());
        const Progress progress(!options_.quiet, title, total, swept.trials().progress());
        outcome = attempt(swept, job.plan);
    }
    if (status_traits(outcome.status).interrupted) return false;
    const std::string name = std::filesystem::path(job.run).filename();
    const Result result = measured(name, job.plan, std::move(outcome), objective, swept.origin());
    Json described = manifest(result, objective, started, swept.origin());
    Case all = job.settings;
    if (has_hot_choice(job.plan)) all.push_back({"hot-updates", job.plan.hot.updates}); // what alone would be auto
    all.push_back({"seed", std::to_string(job.plan.seed)});
    described["command"] = words_of(all);
    const Ended ended{job.run,
                      result.outcome.status,
                      build_identity(),
                      now() - begun,
                      finite(result.to_target.seconds),
                      finite(train_loss(result)),
                      finite(score(result, result.target_of))};
    described["ended"] = ended_json(ended);
    folder_.record(job.run, result, described);
    journal_.end(job.key, ended);
    ran_.insert(job.key);
    const bool failed = status_traits(ended.status).failed;
    verdict_.run_failed |= failed;
    const std::string reason = result.outcome.reason.empty() ? "" : ": " + result.outcome.reason;
    if (failed || !isatty(STDERR_FILENO))
        say(fmt::format("{}: {}, {}{}", title, ended.status, human_seconds(ended.seconds), reason));
    return true;
}

void Runner::say(const std::string& line) const {
    if (!options_.quiet) tell("{}\n", line);
}

} // namespace hogwild
