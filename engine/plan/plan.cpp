#include "engine/plan/plan.h"

#include "engine/data/sparse/placement.h"
#include "engine/error.h"
#include "engine/memory/memory_kind.h"
#include "engine/nearest.h"
#include "engine/network/layer_updates.h"
#include "engine/network/network.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/names.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"
#include "kernels/cuda/network/team_memory.h"
#include "kernels/kernels.h"
#include "kernels/network/optimizer.h"
#include "kernels/patterns/low_precision_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

/// What every problem's pattern says, each once, in the order of the catalog.
template <class Of>
std::vector<std::string_view> each_once(const Of& of) {
    std::vector<std::string_view> all;
    for (const std::string_view problem : catalog::names<Problems>) {
        for (const std::string_view name : of(problem)) {
            if (std::ranges::find(all, name) == all.end()) all.push_back(name);
        }
    }
    return all;
}

} // namespace

std::span<const std::string_view> known_names(std::string_view axis) {
    const auto names_of = [](const auto& list) {
        std::vector<std::string_view> names;
        for (const auto& each : list) names.push_back(each.name);
        return names;
    };
    static const auto kParameterNames = each_once([&](std::string_view of) { return names_of(parameters(of)); });
    static const auto kScores = each_once([&](std::string_view of) { return names_of(scores_of(of)); });
    if (axis == "parameter") return kParameterNames;
    if (axis == "score") return kScores;
    std::string name(axis);
    std::ranges::replace(name, '-', '_');
    const Axis* const row = find_axis(name);
    return row == nullptr || row->names == nullptr ? std::span<const std::string_view>{} : row->names();
}

void check_name(std::string_view axis, std::string_view name, std::string_view also) {
    const std::span<const std::string_view> names = known_names(axis);
    std::vector<std::string> known(names.begin(), names.end());
    if (!also.empty()) known.emplace_back(also);
    if (std::ranges::find(known, name) != known.end()) return;
    const std::string meant = nearest(name, known);
    throw Error(Failure::kUsage, fmt::format("unknown {} '{}'", axis, name),
                fmt::format("known: {}", fmt::join(known, ", ")),
                meant.empty() ? "use one of these" : fmt::format("did you mean {}?", meant));
}

namespace {

/// Throws for a name that the axis does not know, a number that lies outside its range, or what its own check finds.
void check(const Axis& axis, const Plan& plan) {
    const Value value = value_of(axis, plan);
    if (axis.names != nullptr) {
        const auto& name = std::get<std::string>(value);
        const auto known = axis.names();
        std::string word(axis.name);
        std::ranges::replace(word, '_', '-');
        if (std::ranges::find(known, name) == known.end()) check_name(word, name);
    }
    const auto* const whole = std::get_if<std::uint64_t>(&value);
    const auto* const real = std::get_if<Real>(&value);
    const double number = whole != nullptr  ? static_cast<double>(*whole)
                          : real != nullptr ? real->value
                                            : axis.range.least;
    if (!axis.range.holds(number) && (whole != nullptr || real != nullptr))
        throw Error(Failure::kUsage, fmt::format("{} {}", option_of(axis), written(value)), std::string(axis.range.why),
                    std::string(axis.range.attempt));
    if (axis.check != nullptr) axis.check(plan);
}

} // namespace

void validate(const Plan& plan) {
    for (const Axis* row : axes()) check(*row, plan);
    const std::span<const Parameter> known = parameters(plan.problem);
    if (plan.parameters.size() > known.size())
        throw Error(Failure::kUsage, fmt::format("{} parameters of a model", plan.parameters.size()),
                    fmt::format("{} has {}", plan.problem, known.size()), "name those that it has");
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const double value = plan.parameters[i];
        if (value >= known[i].least && value <= known[i].most && (!known[i].whole || value == std::floor(value)))
            continue;
        throw Error(Failure::kUsage, fmt::format("{} {}", option_of(known[i]), value),
                    fmt::format("it is a {}number from {} to {}", known[i].whole ? "whole " : "", known[i].least,
                                known[i].most),
                    fmt::format("use {}", known[i].usual));
    }
}

std::span<const Parameter> parameters(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return std::span<const Parameter>(P::Pattern::kParameters); });
}

std::vector<double> parameters(const Plan& plan) {
    std::vector<double> values = plan.parameters;
    for (const Parameter& parameter : parameters(plan.problem).subspan(values.size()))
        values.push_back(parameter.usual);
    return values;
}

std::string option_of(const Parameter& parameter) {
    std::string option = fmt::format("--{}", parameter.name);
    std::ranges::replace(option, '_', '-');
    return option;
}

std::optional<double> parameter(const Plan& plan, std::string_view name) {
    const std::span<const Parameter> known = parameters(plan.problem);
    const auto at = std::ranges::find(known, name, &Parameter::name);
    if (at == known.end()) return {};
    return parameters(plan)[static_cast<std::size_t>(at - known.begin())];
}

unsigned clusters(const Plan& plan) { return (plan.threads + plan.exchange.cluster - 1) / plan.exchange.cluster; }

bool has_int8(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    return is_low_precision(memory) && storage_of(memory) == Storage::kInt8;
}

bool takes_network(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return TakesNetwork<typename P::Pattern>; });
}

bool touches_all(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return TouchesAll<typename P::Pattern>; });
}

bool is_guided(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return Guided<typename P::Pattern>; });
}

std::string_view steps_guard(const Plan& plan) {
    return has_rule(plan) && !touches_all(plan.problem) ? Counted::name : std::string_view(plan.guard);
}

bool takes_batches(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return TakesBatches<typename P::Pattern>; });
}

OptimizerTraits traits(std::string_view optimizer) {
    return with_optimizer(catalog::find<Optimizers>(optimizer), []<class Rule>(std::in_place_type_t<Rule>) {
        return OptimizerTraits{Rule::kNumbers > 0, Rule::kBeta1, Rule::kBeta2, Rule::kUsualBeta2, Rule::kUsualStep};
    });
}

std::span<const Score> scores_of(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return std::span<const Score>(P::Pattern::kScores); });
}

bool scores_test(std::string_view problem) {
    return std::ranges::count(scores_of(problem), Scored::kTest, &Score::samples) > 0;
}

bool more_is_better(std::string_view score) {
    return std::ranges::any_of(catalog::names<Problems>, [&](std::string_view problem) {
        return std::ranges::any_of(scores_of(problem),
                                   [&](const Score& known) { return known.name == score && known.more_is_better; });
    });
}

bool runs_on_gpu(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kOnGpu; });
}

bool has_hot_copies(std::string_view problem) {
    return with_problem(problem, []<class P>(P) {
        if constexpr (requires { P::Pattern::kHotCopies; }) return P::Pattern::kHotCopies;
        return false;
    });
}

bool has_halves(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kHalves; });
}

bool regularised(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kRegularised; });
}

bool projects(std::string_view problem) {
    return with_problem(problem, []<class P>(P) {
        if constexpr (requires { P::Pattern::kProjects; }) return P::Pattern::kProjects;
        return false;
    });
}

bool has_long_steps(std::string_view problem) {
    return with_problem(problem, []<class P>(P) {
        if constexpr (requires { P::Pattern::kLongSteps; }) return P::Pattern::kLongSteps;
        return false;
    });
}

bool convex(std::string_view problem) {
    return with_problem(problem, []<class P>(P) {
        if constexpr (requires { P::Pattern::kConvex; }) return P::Pattern::kConvex;
        return false;
    });
}

double usual_l2(std::string_view problem, std::uint64_t samples, double deviation) {
    const double usual = with_problem(problem, []<class P>(P) { return P::Pattern::kUsualL2; });
    return usual == kOneOverSamples ? 1.0 / static_cast<double>(std::max<std::uint64_t>(samples, 1))
                                    : usual * deviation;
}

bool shrinks_all(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kShrinksAll; });
}

unsigned exchanging_workers(const Plan& plan) {
    return !device_traits(plan).threads && gpu_workers(plan) > 0 ? gpu_teams(plan) : plan.threads;
}

std::uint64_t exchange_period(const Plan& plan, std::uint64_t rows) {
    return plan.exchange.period > 0 ? plan.exchange.period
                                    : std::max<std::uint64_t>(1, rows / exchanging_workers(plan));
}

double lazy_l2(const Plan& plan) {
    const SchemeTraits& scheme = traits(plan);
    if (!shrinks_all(plan.problem) || scheme.steps_on_doubles()) return 0;
    const bool averages_clusters = scheme.has_clusters() && scheme.merging == Merging::kAverages;
    return averages_clusters ? plan.l2 / clusters(plan) : plan.l2;
}

double shrinkage_bits(double step, double l2) { return -std::log1p(-step * l2) / std::log(2.0) * kCell; }

double shrinkage(const Plan& plan) {
    const bool mean_of_batch = traits(plan).is_minibatch() && !shrinks_all(plan.problem);
    return plan.step.size * plan.l2 / (mean_of_batch ? std::max(1u, plan.batch.size) : 1u);
}

unsigned cpu_workers(const Plan& plan) { return device_traits(plan).threads ? plan.threads : 0; }
unsigned gpu_workers(const Plan& plan) {
    const OnGpu does = traits(plan).on_gpu;
    const bool steps = does == OnGpu::kStreams || (does == OnGpu::kTeams && takes_network(plan.problem));
    return device_traits(plan).gpu && steps ? plan.gpu.streams : 0;
}
bool steps_by_graphs(const Plan& plan) {
    return wants_graphs(plan) && traits(plan).on_gpu == OnGpu::kStreams && gpu_workers(plan) > 0 &&
           takes_network(plan.problem);
}
unsigned gpu_teams(const Plan& plan) {
    return gpu_workers(plan) * (steps_by_graphs(plan) ? 1 : plan.gpu.blocks / blocks_of_team(plan.gpu.blocks));
}
bool has_two_batches(const Plan& plan) {
    return traits(plan).on_gpu == OnGpu::kStreams && on_both(plan) && takes_batches(plan.problem);
}

bool adapts(const Plan& plan) { return batch_rule_traits(plan).adapts; }
bool scales_steps(const Plan& plan) { return batch_rule_traits(plan).scales_steps; }

std::uint32_t first_gpu_batch(const Plan& plan) { return plan.batch.gpu > 0 ? plan.batch.gpu : plan.batch.size; }

std::uint32_t most_cpu_batch(const Plan& plan) {
    return adapts(plan) ? plan.batch.size * std::bit_floor(std::max(plan.batch.most / plan.batch.size, 1u))
                        : plan.batch.size;
}

std::uint32_t most_gpu_batch(const Plan& plan) { return adapts(plan) ? most_cpu_batch(plan) : first_gpu_batch(plan); }

unsigned bridges(const Plan& plan) { return gpu_workers(plan) > 0 && is_replica(memory_kind(plan)) ? 1 : 0; }

} // namespace hogwild
