#include "experiments/sweep/tuner.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "experiments/folder/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace hogwild {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double median_of(const std::vector<Ended>& trials, std::optional<double> Ended::*what, double missing = kForever) {
    std::vector<double> values;
    for (const Ended& trial : trials) values.push_back((trial.*what).value_or(missing));
    return median(std::move(values));
}

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

std::vector<std::uint64_t> numbers(const std::vector<std::string>& seeds) {
    std::vector<std::uint64_t> numbers;
    for (const std::string& seed : seeds) numbers.push_back(parse_count(seed).value());
    return numbers;
}

/// The list as numbers in rising order; nothing where some value is no number, or there are fewer than two.
std::optional<std::vector<double>> rising(const Choice& list) {
    std::vector<double> values;
    for (const std::string& text : list.values) {
        const auto value = parse_real(text);
        if (!value) return {};
        values.push_back(*value);
    }
    std::ranges::sort(values);
    if (values.size() < 2) return {};
    return values;
}

enum class Edge { kNone, kLow, kHigh };

/// Parameters of models are no axes, and do not.
bool list_may_grow(const Choice& list) {
    const Axis* const row = axis_of_option(list.option);
    return row != nullptr && may_grow(*row);
}

/// Where a value lies in a list of numbers.
Edge edge_of(const Choice& list, const std::string& value) {
    const auto values = rising(list);
    if (!values) return Edge::kNone;
    const double number = parse_real(value).value();
    return number == values->front() ? Edge::kLow : number == values->back() ? Edge::kHigh : Edge::kNone;
}

/// One value further, by the factor of the outermost two; of counts whole, and at least 1. Precondition: list_may_grow.
std::string beyond(const Choice& list, Edge edge) {
    const std::vector<double> values = rising(list).value();
    const bool high = edge == Edge::kHigh;
    const double last = high ? values.back() : values.front();
    const double before = high ? values[values.size() - 2] : values[1];
    const double further = before > 0 ? last * (last / before) : last;
    if (is_count(*axis_of_option(list.option))) return fmt::format("{:.0f}", std::max(1.0, further));
    return fmt::format("{:.3g}", further);
}

/// What a combination tries of an option: one value, where the option makes no difference to it.
Choice tried_of(const Combination& combination, const std::string& option) {
    Choice list{option, {}};
    for (const Candidate& candidate : combination.candidates) {
        const std::string& value = *value_of(candidate.tried, option);
        if (std::ranges::find(list.values, value) == list.values.end()) list.values.push_back(value);
    }
    return list;
}

} // namespace

std::vector<std::size_t> ranked(const std::vector<std::vector<Ended>>& trials, const Watched& target) {
    const auto badness = [&](std::size_t candidate) {
        const std::vector<Ended>& ended = trials[candidate];
        return std::pair(median_of(ended, &Ended::to_target), target.rising
                                                                  ? -median_of(ended, &Ended::score, -kForever)
                                                              : target.score ? median_of(ended, &Ended::score)
                                                                             : median_of(ended, &Ended::loss));
    };
    std::vector<std::size_t> order(trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, badness);
    return order;
}

Tuner::Tuner(const Spec& spec, SweepInputs& swept, Runner& runner, bool may_run)
    : swept_(swept),
      runner_(runner),
      combinations_(swept.combinations()),
      lists_(spec.tuning),
      seeds_(numbers(spec.tuning_seeds)),
      may_grow_(spec.extend),
      may_run_(may_run),
      halve_(spec.halve),
      tries_all_(spec.screen.has_value()) {}

std::optional<std::vector<Chosen>> Tuner::tune() {
    for (;;) {
        if (!run_trials()) return {};
        std::vector<Chosen> chosen;
        for (std::size_t i = 0; i < combinations_.size(); ++i) chosen.push_back(choose(i));
        if (may_grow_ == 0 || !grow(chosen)) return chosen;
        --may_grow_;
    }
}

/// A combination that has nothing to choose is tried only where schemes are chosen by their trials.
bool Tuner::is_tried(const Combination& combination) const { return combination.candidates.size() > 1 || tries_all_; }

Watched Tuner::target_of(const Combination& combination) const {
    const Plan& plan = combination.candidates.front().plan;
    return watched(plan, swept_.objective(plan).target_of);
}

/// How the first `seeds` trials of those that are left ended.
std::vector<std::vector<Ended>> Tuner::ended(std::size_t combination, std::size_t seeds) const {
    const Combination& of = combinations_[combination];
    std::vector<std::vector<Ended>> trials;
    for (const std::size_t candidate : alive_[combination]) {
        auto& ended = trials.emplace_back();
        for (std::size_t i = 0; i < seeds; ++i)
            ended.push_back(*runner_.ended(job_of(swept_, of, of.candidates[candidate], seeds_[i], "tuning/")));
    }
    return trials;
}

bool Tuner::run_trials() {
    trials_.clear();
    counts_.assign(combinations_.size(), 0);
    alive_.clear();
    for (const Combination& combination : combinations_) {
        alive_.emplace_back(combination.candidates.size());
        std::iota(alive_.back().begin(), alive_.back().end(), std::size_t{0});
    }
    if (!halve_) return run_round(seeds_);
    for (std::size_t round = 0; round < seeds_.size(); ++round) {
        if (!run_round({seeds_[round]})) return false;
        if (round + 1 == seeds_.size()) break;
        for (std::size_t i = 0; i < combinations_.size(); ++i) {
            if (!is_tried(combinations_[i])) continue;
            std::vector<std::size_t> left;
            for (const std::size_t at : ranked(ended(i, round + 1), target_of(combinations_[i])))
                left.push_back(alive_[i][at]);
            left.resize((left.size() + 1) / 2);
            std::ranges::sort(left); // of equals the first is taken
            alive_[i] = std::move(left);
        }
    }
    return true;
}

/// The trials of all that are left with these seeds.
bool Tuner::run_round(const std::vector<std::uint64_t>& seeds) {
    std::vector<SweepJob> jobs;
    for (std::size_t i = 0; i < combinations_.size(); ++i) {
        const Combination& combination = combinations_[i];
        if (!is_tried(combination)) continue;
        for (const std::size_t candidate : alive_[i]) {
            for (const std::uint64_t seed : seeds)
                jobs.push_back(job_of(swept_, combination, combination.candidates[candidate], seed, "tuning/"));
        }
        counts_[i] += alive_[i].size() * seeds.size();
    }
    trials_.insert(trials_.end(), jobs.begin(), jobs.end());
    if (may_run_) return runner_.run(swept_, jobs);
    const auto left =
        std::ranges::count_if(jobs, [&](const SweepJob& trial) { return runner_.ended(trial) == nullptr; });
    if (left > 0) {
        throw Error(Failure::kUsage, "a shard cannot tune",
                    fmt::format("{} trials are not done, and all shards share them", left),
                    "run the same sweep with --tune-only first, and copy its folder to every shard");
    }
    return true;
}

Chosen Tuner::choose(std::size_t combination) const {
    Chosen chosen;
    const Combination& of = combinations_[combination];
    if (!is_tried(of)) return chosen;
    const std::vector<std::vector<Ended>> trials = ended(combination, seeds_.size());
    const std::vector<std::size_t> order = ranked(trials, target_of(of));
    const std::vector<Ended>& best = trials[order.front()];
    chosen.ranked.clear();
    for (const std::size_t at : order) chosen.ranked.push_back(alive_[combination][at]);
    for (const Setting& setting : of.candidates[chosen.ranked.front()].tried)
        chosen.at_edge |= edge_of(tried_of(of, setting.option), setting.value) != Edge::kNone;
    chosen.trials = counts_[combination];
    chosen.reached = static_cast<std::size_t>(
        std::ranges::count_if(best, [](const Ended& trial) { return trial.to_target.has_value(); }));
    chosen.seconds = finite(median_of(best, &Ended::to_target));
    chosen.loss = finite(median_of(best, &Ended::loss));
    chosen.score = finite(median_of(best, &Ended::score));
    return chosen;
}

/// True: there are new trials.
bool Tuner::grow(const std::vector<Chosen>& chosen) {
    std::set<std::pair<std::string, std::string>> more;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (!chosen[i].at_edge) continue;
        for (const Setting& setting : combinations_[i].candidates[chosen[i].ranked.front()].tried) {
            const Choice list = tried_of(combinations_[i], setting.option);
            const Edge edge = edge_of(list, setting.value);
            if (edge != Edge::kNone && list_may_grow(list)) more.emplace(setting.option, beyond(list, edge));
        }
    }
    bool grown = false;
    for (const auto& [option, value] : more) grown |= add(option, value);
    return grown;
}

/// The value with every value of the other lists, for every combination to which it is new. False: it is to none.
bool Tuner::add(const std::string& option, const std::string& value) {
    std::vector<Choice> lists = lists_;
    std::ranges::find(lists, option, &Choice::option)->values = {value};
    Spec further;
    further.tuning = lists;
    bool added = false;
    for (Combination& combination : combinations_) {
        for (const Case& tried : candidates(further, {})) added |= swept_.add(combination, tried);
    }
    if (added) std::ranges::find(lists_, option, &Choice::option)->values.push_back(value);
    return added;
}

} // namespace hogwild
