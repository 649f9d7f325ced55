#include "experiments/sweep/tuner.h"

#include "engine/error.h"
#include "experiments/numbers.h"
#include "experiments/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Lists of how finely, not of what: those that may grow.
bool may_grow(const Choice& list) {
    static const std::set<std::string> names{"step-size", "step-scale", "batch", "exchange"};
    return names.contains(list.option);
}

/// Where a value lies in a list of numbers.
Edge edge_of(const Choice& list, const std::string& value) {
    const auto values = rising(list);
    if (!values) return Edge::kNone;
    const double number = parse_real(value).value();
    return number == values->front() ? Edge::kLow : number == values->back() ? Edge::kHigh : Edge::kNone;
}

/// One value further, by the factor of the outermost two. Batches and exchanges are whole, and at least 1.
std::string beyond(const Choice& list, Edge edge) {
    const std::vector<double> values = rising(list).value();
    const bool high = edge == Edge::kHigh;
    const double last = high ? values.back() : values.front();
    const double before = high ? values[values.size() - 2] : values[1];
    const double further = before > 0 ? last * (last / before) : last;
    if (list.option.starts_with("step-")) return fmt::format("{:.3g}", further);
    return fmt::format("{:.0f}", std::max(1.0, further));
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

std::size_t best_of(const std::vector<std::vector<Ended>>& trials, const Watched& target) {
    std::size_t best = 0;
    const auto badness = [&](std::size_t candidate) {
        const std::vector<Ended>& ended = trials[candidate];
        return std::pair(median_of(ended, &Ended::to_target), target.rising
                                                                  ? -median_of(ended, &Ended::score, -kForever)
                                                              : target.score ? median_of(ended, &Ended::score)
                                                                             : median_of(ended, &Ended::loss));
    };
    for (std::size_t candidate = 1; candidate < trials.size(); ++candidate) {
        if (badness(candidate) < badness(best)) best = candidate;
    }
    return best;
}

Tuner::Tuner(const Spec& spec, Ground& ground, Runner& runner, bool may_run)
    : ground_(ground),
      runner_(runner),
      combinations_(ground.combinations()),
      lists_(spec.tuning),
      seeds_(numbers(spec.tuning_seeds)),
      may_grow_(spec.extend),
      may_run_(may_run) {}

std::optional<std::vector<Chosen>> Tuner::tune() {
    for (;;) {
        if (!run_trials()) return {};
        std::vector<Chosen> chosen;
        for (const Combination& combination : combinations_) chosen.push_back(choose(combination));
        if (may_grow_ == 0 || !grow(chosen)) return chosen;
        --may_grow_;
    }
}

bool Tuner::run_trials() {
    trials_.clear();
    for (const Combination& combination : combinations_) {
        if (combination.candidates.size() < 2) continue; // there is nothing to choose
        for (const Candidate& candidate : combination.candidates) {
            for (const std::uint64_t seed : seeds_)
                trials_.push_back(job_of(ground_, combination, candidate, seed, "tuning/"));
        }
    }
    if (may_run_) return runner_.run(ground_, trials_);
    const auto left = std::ranges::count_if(trials_, [&](const Job& trial) { return runner_.ended(trial) == nullptr; });
    if (left > 0) {
        throw Error(Failure::kUsage, "a shard cannot tune",
                    fmt::format("{} trials are not done, and all shards share them", left),
                    "run the same sweep with --tune-only first, and copy its folder to every shard");
    }
    return true;
}

Chosen Tuner::choose(const Combination& combination) const {
    Chosen chosen;
    if (combination.candidates.size() < 2) return chosen;
    std::vector<std::vector<Ended>> trials;
    for (const Candidate& candidate : combination.candidates) {
        auto& ended = trials.emplace_back();
        for (const std::uint64_t seed : seeds_)
            ended.push_back(*runner_.ended(job_of(ground_, combination, candidate, seed, "tuning/")));
    }
    const Plan& plan = combination.candidates.front().plan;
    chosen.candidate = best_of(trials, watched(plan, ground_.objective(plan).target_of));
    const std::vector<Ended>& best = trials[chosen.candidate];
    for (const Setting& setting : combination.candidates[chosen.candidate].tried)
        chosen.at_edge |= edge_of(tried_of(combination, setting.option), setting.value) != Edge::kNone;
    chosen.trials = trials.size() * seeds_.size();
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
        for (const Setting& setting : combinations_[i].candidates[chosen[i].candidate].tried) {
            const Choice list = tried_of(combinations_[i], setting.option);
            const Edge edge = edge_of(list, setting.value);
            if (edge != Edge::kNone && may_grow(list)) more.emplace(setting.option, beyond(list, edge));
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
        for (const Case& tried : candidates(further)) added |= ground_.add(combination, tried);
    }
    if (added) std::ranges::find(lists_, option, &Choice::option)->values.push_back(value);
    return added;
}

} // namespace hogwild
