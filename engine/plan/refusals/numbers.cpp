// What goes against the numbers that steps are on: doubles, and short ones.
#include "engine/plan/plan.h"
#include "engine/plan/refusals/refusals.h"

#include "engine/memory/memory_kind.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/axis.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"
#include "kernels/patterns/low_precision_steps.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

/// The linear problems that `has` is true of, as a choice: "logistic or squared".
std::string linear_problems(const auto& has) {
    std::vector<std::string_view> names;
    for (const std::string_view name : catalog::names<LinearProblems>) {
        if (with_linear_problem(name, has)) names.push_back(name);
    }
    const std::string_view last = names.back();
    names.pop_back();
    return names.empty() ? std::string(last) : fmt::format("{} or {}", fmt::join(names, ", "), last);
}

constexpr auto kIsSmooth = []<class Problem>(Problem) { return Problem::curvature > 0; };
constexpr auto kIsAny = [](auto) { return true; };

/// A number that steps take as a float.
struct OfSteps {
    std::string_view axis;
    double value;
};

} // namespace

std::string why_not_floats(const Plan& plan) {
    if (is_doubles(memory_kind(plan))) return "";
    const OfSteps taken[] = {{"step_size", plan.step.size},
                             {"coupling", plan.exchange.coupling},
                             {"hot_rule", plan.hot.rule},
                             {"bridge_rule", plan.bridge.rule}};
    for (const auto& [name, value] : taken) {
        using Float = std::numeric_limits<float>;
        const bool small = std::abs(value) < Float::min();
        if (!small && std::abs(value) <= Float::max()) continue;
        return fmt::format("{} {} is {} of a float, {}, and steps are on floats; use {} one", option_of(axis(name)),
                           exact(value), small ? "below the smallest" : "above the largest",
                           small ? "1.2e-38" : "3.4e38", small ? "a larger" : "a smaller");
    }
    return "";
}

std::string why_not_smooth(const Plan& plan) {
    const SchemeTraits& scheme = scheme_traits(plan);
    const MemoryKind memory = memory_kind(plan);
    if (!scheme.corrects_steps() && plan.l1 > 0)
        return fmt::format("steps of {} know no L1, {} have proximal ones; use --l1 0", plan.scheme,
                           schemes_where([](const SchemeTraits& each) { return each.corrects_steps(); }));
    if (!scheme.steps_on_doubles()) {
        if (is_doubles(memory))
            return fmt::format("steps of {} are on floats, only those of {} on doubles too; use --numbers float32",
                               plan.scheme,
                               schemes_where([](const SchemeTraits& each) { return each.steps_on_doubles(); }));
        return "";
    }
    const bool columns = scheme.steps_on_columns();
    const bool smooth = is_linear(plan.problem) && with_linear_problem(plan.problem, kIsSmooth);
    if (!is_linear(plan.problem))
        return fmt::format("{} {} of each sparse row, and {} has no such; use --problem {}", plan.scheme,
                           columns ? "keeps the margin" : "remembers one slope", plan.problem,
                           linear_problems(kIsSmooth));
    if (!smooth && columns)
        return fmt::format("{} has kinks, where no coordinate alone leads further down though several together would; "
                           "use --problem {}",
                           plan.problem, linear_problems(kIsSmooth));
    if (!smooth)
        return fmt::format(
            "{} has a kink, across which a remembered slope tells nothing, so that {}'s noise would stay; "
            "use --problem {}",
            plan.problem, plan.scheme, linear_problems(kIsSmooth));
    if (!is_host(memory))
        return fmt::format("{} keeps {} in ordinary memory; use --memory host", plan.scheme,
                           columns ? "margins" : "slopes");
    if (is_short(memory))
        return fmt::format("{} keeps {} as floats or doubles, not {}; use --numbers float32 or fp64", plan.scheme,
                           columns ? "margins" : "slopes", plan.numbers);
    if (columns && !is_racy_or_atomic(plan))
        return fmt::format("margins are added to by racy or atomic steps, not by {}; use one of these", plan.update);
    if (step_traits(plan).plateau)
        return fmt::format("{} needs no smaller steps, and backoff looks at floats; use --step constant", plan.scheme);
    if (plan.delay > 0) return fmt::format("{} has no step that is delayed; use --delay 0", plan.scheme);
    return why_not_telemetry(plan);
}

std::string why_not_short(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    if (!is_low_precision(memory)) return "";
    const std::string name = name_of(memory);
    if (!scheme_traits(plan).short_numbers)
        return fmt::format("steps of {} are on floats, only those of {} on {} too; use --numbers float32", plan.scheme,
                           schemes_where([](const SchemeTraits& each) { return each.short_numbers; }), name);
    if (!is_linear(plan.problem))
        return fmt::format("{} has no steps on {}, only sparse rows have; use --numbers float32, or --problem {}",
                           plan.problem, name, linear_problems(kIsAny));
    if (scheme_traits(plan).updates == UpdateChoice::kAll && !update_traits(plan).overwrites())
        return fmt::format("a rounded number is written by a plain store, which {} is not; use --update racy",
                           plan.update);
    if (scheme_traits(plan).guards && guard_traits(plan).orders)
        return fmt::format("steps on {} know no guard; use --guard none", name);
    if (scheme_traits(plan).staleness_rules && has_rule(plan))
        return fmt::format("steps on {} know no rule for stale ones; use --staleness-rule none", name);
    if (plan.delay > 0) return fmt::format("steps on {} are not delayed; use --delay 0", name);
    if (has_telemetry(plan))
        return fmt::format("steps on {} have no probes of staleness and lost updates; use --telemetry off", name);
    const int most = bits_of_scale(storage_of(memory));
    if (shrinkage_bits(plan.step.size, plan.l2) > most)
        return fmt::format("step {} x lambda {} shrinks weights by more than 2^{} within {} samples, which {} cannot "
                           "follow; use a smaller step or lambda, or --numbers float32",
                           plan.step.size, plan.l2, most, kCell, name);
    return "";
}

} // namespace hogwild
