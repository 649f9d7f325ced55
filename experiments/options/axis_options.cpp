#include "experiments/options/axis_options.h"
#include "engine/plan/names.h"
#include "experiments/options/command_line.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/gpus.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/problem_traits.h"
#include "engine/workers/placement.h"
#include "experiments/options/number_fault.h"

#include <fmt/ranges.h>

#include <string>
#include <string_view>

namespace hogwild {
namespace {

/// The group of the help that an axis stands in.
std::string group_of(const Axis& axis) {
    switch (axis.group) {
    case Axis::Group::kRun: return "Axes (each takes a list: their product is run)";
    case Axis::Group::kOne: return "One value for every run";
    case Axis::Group::kGpu: break;
    }
    return built_for_gpus()
               ? "Axes of a GPU (lists too; without a GPU, what asks for it ends with exit code 69)"
               : "Axes of a GPU (lists too; this build is without CUDA: what asks for a GPU ends with exit code 69)";
}

/// "racy|atomic|...", and what stands for a choice among them.
std::string typed(const Axis& axis) {
    if (axis.names == nullptr) return std::string(axis.typed);
    std::string words = fmt::format("{}", fmt::join(axis.names(), "|"));
    return axis.also.empty() ? words : fmt::format("{}|{}", words, axis.also);
}

void add_axis(CommandLine& app, Axes& axes, const Axis& axis) {
    const std::string option = option_of(axis);
    const auto set = [&axes, &axis, option](const std::string& text) {
        axes.values(axis.name) = parse_values(axis, option, text, {usable_cores(), cores_of_node()});
        axes.given.insert(option);
    };
    app.on_option(option, set, help_of(axis)).shown_as(typed(axis)).in(group_of(axis));
}

/// Refuses what is no number at all; which whole numbers may be, the problem says.
void check_numbers(const std::string& option, const std::string& text) {
    for (const std::string& value : name_list(option, text)) {
        if (parse_real(value)) continue;
        throw Error(Failure::kUsage, fmt::format("{} cannot be '{}'", option, value),
                    why_no_number(value, "it is not a whole number"), "give whole numbers like 8,16");
    }
}

/// What models have besides their weights.
void add_parameters(CommandLine& app, Axes& axes) {
    for (const std::string_view problem : known_names("problem")) {
        for (const Parameter& parameter : problem_traits(problem).parameters) {
            const std::string option = option_of(parameter);
            // By name at every parse: copying options gives their map other nodes.
            const auto set = [&axes, option, name = std::string(parameter.name),
                              whole = parameter.whole](const std::string& text) {
                if (whole) check_numbers(option, text);
                axes.parameters[name] = real_list(option, text);
                axes.given.insert(option);
            };
            app.on_option(option, set, fmt::format("{}: {} (default: {})", problem, parameter.about, parameter.usual))
                .shown_as(parameter.whole ? "N" : "X")
                .in("Axes of a model (lists too)");
        }
    }
}

} // namespace

void add_axis_options(CommandLine& app, Axes& axes) {
    const auto add_group = [&](Axis::Group group) {
        for (const Axis* row : hogwild::axes()) {
            if (row->group == group) add_axis(app, axes, *row);
        }
    };
    add_group(Axis::Group::kRun);
    add_parameters(app, axes);
    add_group(Axis::Group::kGpu);
    add_group(Axis::Group::kOne);
}

} // namespace hogwild
