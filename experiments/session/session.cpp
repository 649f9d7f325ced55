#include "experiments/session/session.h"

#include "engine/error.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/folder/result.h"
#include "experiments/plans/product.h"
#include "experiments/session/failure.h"
#include "experiments/session/measured.h"
#include "experiments/session/progress.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hogwild {
namespace {

/// A folder's name that tells the run: "07-hogwild-locked-t4-s1".
std::string run_name(std::size_t position, std::size_t count, const Plan& plan) {
    return fmt::format("{:0{}}-{}", position + 1, std::to_string(count).size(), short_name(plan));
}

} // namespace

Session::Session(const RunOptions& options, const Origin& origin, const Objectives& objectives, ResultsFolder* folder,
                 const Interrupt& interrupt, RunInParts* parts)
    : options_(options),
      origin_(origin),
      objectives_(objectives),
      folder_(folder),
      interrupt_(interrupt),
      parts_(parts) {}

Outcome Session::attempt(const Plan& plan, const std::string& title, const Objective& objective, RunInParts* parts) {
    const double total = plan.epochs * static_cast<double>(origin_.train.view().rows());
    const bool apart = wants_gpu(plan); // what a GPU does to one process, it does to no other
    std::atomic<std::uint64_t> consumed{0};
    return outcome_of_run([&] {
        if (apart && !trials_) trials_.emplace(origin_.placements);
        const Progress progress(!options_.quiet, title, total, apart ? trials_->progress() : consumed);
        if (apart) return trials_->run(plan, objective.optimum, interrupt_.requested());
        const PlacedSamples& placed = origin_.placements.of(plan);
        return run(plan, {.train = placed.train,
                          .test = placed.test ? &*placed.test : nullptr,
                          .shuffled = placed.shuffled ? &*placed.shuffled : nullptr,
                          .keeps_weights = !options_.save.empty(),
                          .optimum = objective.optimum,
                          .interrupt = &interrupt_.requested(),
                          .progress = &consumed,
                          .sink = parts ? parts->sink() : nullptr,
                          .before = parts ? parts->before() : nullptr});
    });
}

void Session::warm_up(const Plan& plan) {
    Plan shortened = plan;
    shortened.epochs = 1;
    shortened.telemetry = "off";
    attempt(shortened, "warm-up", objectives_.of(plan));
}

Result Session::trial(const Plan& plan, const std::string& name, const std::string& title, const Json& about) {
    const Objective& objective = objectives_.of(plan);
    const std::string started = utc_now();
    Result result = measured(name, plan, attempt(plan, title, objective), objective, origin_);
    if (folder_ != nullptr && !status_traits(result.outcome.status).interrupted) {
        Json facts = manifest(result, objective, started, origin_);
        facts.update(about);
        folder_->record(result, facts);
    }
    return result;
}

void Session::measure(const std::vector<Plan>& plans, const std::vector<std::size_t>& order) {
    const std::string network = network_of_all(plans); // the command says it
    for (std::size_t turn = 0; turn < order.size(); ++turn) {
        if (interrupt_.requested().load(std::memory_order_relaxed)) {
            verdict_.interrupted = true;
            tell("{} of {} runs were not started\n", order.size() - turn, order.size());
            return;
        }
        const std::size_t position = order[turn];
        const Plan& plan = plans[position];
        const Objective& objective = objectives_.of(plan);
        const std::string started = utc_now();

        Outcome outcome = attempt(plan, fmt::format("[{}/{}] {}", turn + 1, order.size(), describe(plan, network)),
                                  objective, parts_);
        if (!options_.save.empty()) weights_ = std::move(outcome.weights);
        Result result = measured(run_name(position, plans.size(), plan), plan, std::move(outcome), objective, origin_);
        verdict_.missed_target |= std::isfinite(result.target) && !result.to_target.reached;
        verdict_.add(status_traits(result.outcome.status));
        keep(position, std::move(result), started);
        if (verdict_.disk_failed) return;
    }
}

void Session::keep(std::size_t position, Result result, const std::string& started) {
    const Result& kept = results_.emplace_back(position, std::move(result)).second;
    if (!kept.outcome.reason.empty()) tell("{}: {}: {}\n", kept.run, kept.outcome.status, kept.outcome.reason);
    try {
        Json about = manifest(kept, objectives_.of(kept.plan), started, origin_);
        if (parts_ != nullptr && !parts_->later_parts().empty()) about["later_parts"] = parts_->later_parts();
        if (!options_.tuned.empty()) about["tuned"] = json_of(options_.tuned);
        if (folder_ != nullptr) folder_->record(kept, about);
    } catch (const Error& error) {
        if (error.failure() != Failure::kDisk) throw;
        tell("hogwild: {}\n", error.what());
        verdict_.disk_failed = true;
    }
    if (options_.json) verdict_.output_failed |= !try_print(json_line(kept));
    verdict_.disk_failed |= parts_ != nullptr && !parts_->has_written_all();
}

std::vector<Result> Session::results() const {
    auto sorted = results_;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Result> results;
    for (auto& [position, result] : sorted) results.push_back(std::move(result));
    return results;
}

} // namespace hogwild
