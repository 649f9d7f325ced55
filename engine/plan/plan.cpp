#include "engine/plan/plan.h"

#include "engine/error.h"
#include "engine/plan/axes.h"
#include "engine/plan/names.h"
#include "engine/plan/problem_traits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include <fmt/format.h>

namespace hogwild {
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
    const std::span<const Parameter> known = problem_traits(plan).parameters;
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

} // namespace hogwild
