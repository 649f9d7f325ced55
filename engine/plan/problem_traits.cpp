#include "engine/plan/problem_traits.h"

#include "engine/plan/plan.h"
#include "kernels/catalog.h"
#include "kernels/kernels.h" // every access pattern

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

namespace hogwild {
namespace {

template <class Problem>
constexpr ProblemTraits row_of() {
    using Pattern = typename Problem::Pattern;
    constexpr bool kConvex = requires { requires Pattern::kConvex; };
    constexpr bool kProjects = requires { requires Pattern::kProjects; };
    constexpr bool kHasLongSteps = requires { requires Pattern::kLongSteps; };
    constexpr bool kHasHotCopies = requires { requires Pattern::kHotCopies; };
    return {.name = Problem::name,
            .takes_network = TakesNetwork<Pattern>,
            .parameters = Pattern::kParameters,
            .scores = Pattern::kScores,
            .regularised = Pattern::kRegularised,
            .l2 = Pattern::kUsualL2,
            .shrinks_all = Pattern::kShrinksAll,
            .convex = kConvex,
            .takes_batches = TakesBatches<Pattern>,
            .touches_all = TouchesAll<Pattern>,
            .guided = Guided<Pattern>,
            .projects = kProjects,
            .has_long_steps = kHasLongSteps,
            .runs_on_gpu = Pattern::kOnGpu,
            .has_hot_copies = kHasHotCopies,
            .has_halves = Pattern::kHalves};
}

template <class... Entries>
constexpr std::array<ProblemTraits, sizeof...(Entries)> rows_of(std::type_identity<std::variant<Entries...>>) {
    return {row_of<Entries>()...};
}

constexpr auto kRows = rows_of(std::type_identity<Problems>{});
constexpr ProblemTraits kNoProblem{};

} // namespace

double ProblemTraits::usual_l2(std::uint64_t samples, double deviation) const {
    return l2 == kOneOverSamples ? 1.0 / static_cast<double>(std::max<std::uint64_t>(samples, 1)) : l2 * deviation;
}

std::span<const ProblemTraits> all_problems() { return kRows; }

const ProblemTraits& problem_traits(std::string_view name) {
    const auto row = std::ranges::find(kRows, name, &ProblemTraits::name);
    return row == kRows.end() ? kNoProblem : *row;
}

const ProblemTraits& problem_traits(const Plan& plan) { return problem_traits(plan.problem); }

bool more_is_better(std::string_view score) {
    return std::ranges::any_of(kRows, [&](const ProblemTraits& problem) {
        return std::ranges::any_of(problem.scores,
                                   [&](const Score& known) { return known.name == score && known.more_is_better; });
    });
}

std::string option_of(const Parameter& parameter) {
    std::string option = fmt::format("--{}", parameter.name);
    std::ranges::replace(option, '_', '-');
    return option;
}

std::vector<double> parameters(const Plan& plan) {
    std::vector<double> values = plan.parameters;
    for (const Parameter& parameter : problem_traits(plan).parameters.subspan(values.size()))
        values.push_back(parameter.usual);
    return values;
}

std::optional<double> parameter(const Plan& plan, std::string_view name) {
    const std::span<const Parameter> known = problem_traits(plan).parameters;
    const auto at = std::ranges::find(known, name, &Parameter::name);
    if (at == known.end()) return {};
    return parameters(plan)[static_cast<std::size_t>(at - known.begin())];
}

} // namespace hogwild
