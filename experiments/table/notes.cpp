#include "experiments/table/notes.h"

#include "engine/numbers.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "experiments/folder/result.h"
#include "kernels/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace hogwild {
namespace {

/// It came to its target, and left it again.
bool ended_before_its_target(const Result& result) {
    if (!result.to_target.reached) return false;
    const Watched of = watched(result.plan, result.target_of);
    const double last = value_of(result.outcome.observations.back(), of);
    return of.rising ? last < result.target : last > result.target;
}

/// "training loss", "test rmse".
std::string words_of_target(const Result& result) {
    if (!watched(result.plan, result.target_of).score) return "training loss";
    std::string text = result.target_of;
    std::ranges::replace(text, '_', ' ');
    return text;
}

/// ", or of batch 64 where there is none": what rows without a serial one of their batch are compared with, where there are some.
std::string otherwise(const std::vector<Group>& groups) {
    std::set<std::uint32_t> batches;
    for (const Group& group : groups) {
        const Group* serial = yardstick(groups, group.plan);
        if (serial != nullptr && serial->plan.batch.size != group.plan.batch.size)
            batches.insert(serial->plan.batch.size);
    }
    return batches.empty() ? "" : fmt::format(", or of batch {} where there is none", fmt::join(batches, " and "));
}

/// Teams of a GPU that made no step.
std::ptrdiff_t idle_teams(const Result& result) { return std::ranges::count(result.outcome.gpu.team_updates, 0u); }

/// A network that took all its steps and knows no more than before the first, or than who takes all classes for equally likely.
bool learnt_nothing(const Result& result) {
    constexpr double kLoss = 0.99, kError = 0.9; // of such a guess's; what is below was learnt
    const std::vector<Observation>& seen = result.outcome.observations;
    if (!problem_traits(result.plan).takes_network || !status_traits(result.outcome.status).done || seen.size() < 2)
        return false;
    if (!update_traits(result.plan.update).writes) return false;
    const double classes = result.classes, error = score(result, "test_error");
    const bool guesses =
        classes > 0 && seen.back().train_loss >= kLoss * std::log(classes) && !(error < kError * (1 - 1 / classes));
    return guesses || seen.back().train_loss >= seen.front().train_loss;
}

} // namespace

bool was_disturbed(const Result& result) {
    constexpr double kShare = 0.05; // of the workers' time
    return result.outcome.disturbance.core_wait_seconds > kShare * result.outcome.seconds * result.plan.threads;
}

bool is_not_atomic(const Result& result) {
    const GpuShare& gpu = result.outcome.gpu;
    return gpu.shares_cells && !gpu.cells_are_atomic;
}

namespace {

using Results = std::vector<Result>;

std::ptrdiff_t count(const Results& results, const auto& holds) { return std::ranges::count_if(results, holds); }

std::string speed_up_note(const Results& results, const std::vector<Group>& groups) {
    if (!has_serial(groups)) return "speed-up: against serial, which was not run (add it to --scheme)\n";
    if (std::ranges::any_of(results, has_target))
        return "speed-up: time to target against the best serial row, a ratio of medians\n";
    return fmt::format(
        "speed-up: updates (samples consumed) per second, not time to a loss (see --target), against the "
        "best serial row{}, a ratio of medians\n",
        compares_batches(groups) ? " of the same batch" + otherwise(groups) : "");
}

std::string atomicity_note(const Results& results) {
    if (count(results, is_not_atomic) == 0) return "";
    return "not atomic: CPU and GPU increments can overwrite each other, since the link has no atomics\n";
}

std::string target_note(const Results& results) {
    const auto first = std::ranges::find_if(results, has_target);
    if (first == results.end()) return "";
    const bool rising = watched(first->plan, first->target_of).rising;
    std::string text =
        fmt::format("time to target: when the {} first {} to it", words_of_target(*first), rising ? "rose" : "fell");
    if (const auto back = count(results, ended_before_its_target); back > 0)
        text += fmt::format("; {} of {} runs ended {} it again", back, results.size(), rising ? "below" : "above");
    return text + '\n';
}

std::string disturbance_note(const Results& results) {
    const auto disturbed = count(results, was_disturbed);
    if (disturbed == 0) return "";
    return fmt::format("{} of {} runs waited for cores in more than a twentieth of their time (core_wait_seconds of "
                       "summary.csv): measure on a quiet machine\n",
                       disturbed, results.size());
}

std::string share_note(const Results& results) {
    const auto idle = count(results, [](const Result& r) { return r.outcome.least_share < 0.5; });
    if (idle == 0) return "";
    return fmt::format("{} of {} runs had a thread with less than half its share of the samples (least_share of "
                       "summary.csv): they are runs of fewer threads\n",
                       idle, results.size());
}

std::string teams_note(const Results& results) {
    const auto idle = count(results, [](const Result& r) { return idle_teams(r) > 0; });
    if (idle == 0) return "";
    const Result& most = *std::ranges::max_element(results, {}, idle_teams);
    return fmt::format("{} of {} runs had teams of a GPU that made no step, up to {} of {} (gpu_team_updates of "
                       "manifest.json), since a GPU runs only so many at once: take fewer --blocks\n",
                       idle, results.size(), idle_teams(most), most.outcome.gpu.team_updates.size());
}

std::string saturation_note(const Results& results) {
    const auto full = count(results, [](const Result& r) { return r.outcome.saturated > 0; });
    if (full == 0) return "";
    std::uint64_t most = 0;
    for (const Result& result : results) most = std::max(most, result.outcome.saturated);
    return fmt::format(
        "{} of {} runs ended with weights at the end of what int8 reaches, up to {} of them: take a larger "
        "--int8-range\n",
        full, results.size(), most);
}

std::string learning_note(const Results& results) {
    Results dead;
    std::ranges::copy_if(results, std::back_inserter(dead), learnt_nothing);
    if (dead.empty()) return "";
    const Result& least = *std::ranges::min_element(dead, {}, train_loss);
    return fmt::format(
        "{} of {} runs of networks learnt nothing (training loss {:.4g} or more; a guess among {} classes "
        "has ln {} = {:.4g}): take a smaller step (--step-size, --step-scale), or a larger one where the "
        "loss hardly moved\n",
        dead.size(), count(results, [](const Result& r) { return problem_traits(r.plan).takes_network; }),
        train_loss(least), least.classes, least.classes, std::log(least.classes));
}

/// Snapshots behind the first one that were kept, and that were asked for.
std::uint64_t kept_of(const Result& result) { return result.outcome.observations.size() - 1; }
std::uint64_t asked_of(const Plan& plan) { return std::uint64_t{plan.observations_per_epoch} * plan.epochs; }

/// Few samples have no moments for the usual number of snapshots, which nobody asked for: that is not said.
bool kept_fewer(const Result& result) {
    const Plan& plan = result.plan;
    if (!status_traits(result.outcome.status).done || result.outcome.observations.empty()) return false;
    const bool asked = plan.observations_per_epoch > Plan{}.observations_per_epoch;
    return kept_of(result) < (asked ? asked_of(plan) : plan.epochs);
}

std::string snapshots_note(const Results& results) {
    Results few;
    std::ranges::copy_if(results, std::back_inserter(few), kept_fewer);
    if (few.empty()) return "";
    const Result& least = *std::ranges::min_element(few, {}, kept_of);
    return fmt::format(
        "{} of {} runs kept fewer snapshots than --observe asks for, {} of {} at the least: more would not fit "
        "into memory, or there were no more moments to take them at\n",
        few.size(), results.size(), grouped(kept_of(least)), grouped(asked_of(least.plan)));
}

std::string shortness_note(const Results& results) {
    constexpr double kShort = 2e-3; // seconds
    double shortest = kShort;
    for (const Result& result : results) {
        if (status_traits(result.outcome.status).done) shortest = std::min(shortest, result.outcome.seconds);
    }
    if (shortest >= kShort) return "";
    return fmt::format("runs of {} are as short as one disturbance: take more epochs, or more seeds\n",
                       human_seconds(shortest));
}

} // namespace

std::string footnotes(const std::vector<Result>& results, const std::vector<Group>& groups) {
    return speed_up_note(results, groups) + atomicity_note(results) + target_note(results) + disturbance_note(results) +
           share_note(results) + teams_note(results) + saturation_note(results) + learning_note(results) +
           snapshots_note(results) + shortness_note(results);
}

} // namespace hogwild
