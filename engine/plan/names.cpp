#include "engine/plan/names.h"

#include "engine/error.h"
#include "engine/nearest.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/problem_traits.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

/// The names of what problems have of one kind, each once, in the order of the catalog.
template <class Of>
std::vector<std::string_view> each_once(const Of& of) {
    std::vector<std::string_view> all;
    for (const ProblemTraits& problem : all_problems()) {
        for (const auto& each : of(problem)) {
            if (std::ranges::find(all, each.name) == all.end()) all.push_back(each.name);
        }
    }
    return all;
}

/// " (0.1 is for --step-size)": the axis of numbers whose name is nearest by its front, where a number was typed for a name.
std::string for_a_number(std::string_view axis, std::string_view typed) {
    if (!parse_real(typed)) return "";
    std::string name(axis);
    std::ranges::replace(name, '-', '_');
    for (const std::string& front : {name + '_', name.substr(0, name.find('_') + 1)}) {
        if (front.empty()) continue;
        for (const Axis* row : axes()) {
            const bool numbers = row->names == nullptr && !std::holds_alternative<TextField>(row->field);
            const bool alike = row->name.starts_with(front) || std::string(row->name) + '_' == front;
            if (numbers && alike) return fmt::format("; for a number there is {}", option_of(*row));
        }
    }
    return "";
}

} // namespace

std::span<const std::string_view> known_names(std::string_view axis) {
    static const auto kParameterNames = each_once([](const ProblemTraits& of) { return of.parameters; });
    static const auto kScores = each_once([](const ProblemTraits& of) { return of.scores; });
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
    throw Error(
        Failure::kUsage, fmt::format("unknown {} '{}'", axis, name), fmt::format("known: {}", fmt::join(known, ", ")),
        (meant.empty() ? "use one of these" : fmt::format("did you mean {}?", meant)) + for_a_number(axis, name));
}

} // namespace hogwild
