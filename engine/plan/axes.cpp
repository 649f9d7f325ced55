#include "engine/plan/axes.h"

#include "engine/called.h"
#include "engine/error.h"
#include "engine/plan/meaning.h"
#include "engine/plan/name_places.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

namespace hogwild {
namespace {

std::vector<const Axis*> gathered(std::initializer_list<std::span<const Axis>> parts) {
    std::vector<const Axis*> rows;
    for (const std::span<const Axis> part : parts) {
        for (const Axis& row : part) rows.push_back(&row);
    }
    return rows;
}

/// In a row's help.
constexpr std::string_view kDefaultHere = "{}";

/// Where parameters of models stand in the sentence that describes a run.
constexpr int kParametersPlace = 340;

std::string parameters_text(const Plan& plan) {
    std::string text;
    for (const Parameter& each : problem_traits(plan).parameters) {
        const double value = *parameter(plan, each.name);
        if (value != each.usual) text += fmt::format(", {} {}", each.name, value);
    }
    return text;
}

} // namespace

std::string option_of(const Axis& axis) {
    std::string option = axis.option.empty() ? fmt::format("--{}", axis.name) : std::string(axis.option);
    std::ranges::replace(option, '_', '-');
    return option;
}

Value value_of(const Axis& axis, const Plan& plan) {
    Plan& of = const_cast<Plan&>(plan); // fields are looked at alone
    return std::visit(
        [&]<class F>(const F& field) -> Value {
            if constexpr (std::is_same_v<F, TextField>)
                return field(of);
            else if constexpr (std::is_same_v<F, RealField>)
                return Real(field(of));
            else if constexpr (std::is_same_v<F, std::monostate>)
                return std::string();
            else
                return std::uint64_t{field(of)};
        },
        axis.field);
}

void put(const Axis& axis, Plan& plan, const Value& value, double one_over_rows) {
    if (axis.put != nullptr) return axis.put(plan, value, one_over_rows);
    std::visit(
        [&]<class F>(const F& field) {
            if constexpr (std::is_same_v<F, TextField>) {
                field(plan) = std::get<std::string>(value);
            } else if constexpr (std::is_same_v<F, RealField>) {
                const Real number = std::get<Real>(value);
                field(plan) = number.over_rows ? number.value * one_over_rows : number.value;
            } else if constexpr (!std::is_same_v<F, std::monostate>) {
                field(plan) =
                    static_cast<std::remove_reference_t<decltype(field(plan))>>(std::get<std::uint64_t>(value));
            }
        },
        axis.field);
}

void reset(const Axis& axis, Plan& plan) {
    static const Plan kNeutral;
    Plan& neutral = const_cast<Plan&>(kNeutral); // fields are looked at alone
    std::visit(
        [&]<class F>(const F& field) {
            if constexpr (!std::is_same_v<F, std::monostate>) field(plan) = std::as_const(field(neutral));
        },
        axis.field);
}

std::string written(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<Real>(&value)) return fmt::format("{}", number->value);
    return fmt::format("{}", std::get<std::uint64_t>(value));
}

std::span<const Axis* const> axes_before_parameters() {
    static const std::vector<const Axis*> kRows =
        gathered({kWhatAxes, kGpuAxes, kMachineAxes, kStepAxes, kExchangeAxes, kObjectiveAxes});
    return kRows;
}

std::span<const Axis* const> axes_behind_parameters() {
    static const std::vector<const Axis*> kRows = gathered({kNetworkAxes});
    return kRows;
}

std::span<const Axis* const> axes() {
    static const std::vector<const Axis*> kRows = [] {
        std::vector<const Axis*> rows;
        for (const auto part : {axes_before_parameters(), axes_behind_parameters()})
            rows.insert(rows.end(), part.begin(), part.end());
        return rows;
    }();
    return kRows;
}

const Axis* find_axis(std::string_view name) {
    static const std::map<std::string_view, const Axis*> kByName = [] {
        std::map<std::string_view, const Axis*> rows;
        for (const Axis* row : axes()) rows.emplace(row->name, row);
        return rows;
    }();
    const auto found = kByName.find(name);
    return found == kByName.end() ? nullptr : found->second;
}

const Axis* axis_of_option(std::string_view option) {
    const auto rows = axes();
    const auto found = std::ranges::find_if(rows, [&](const Axis* row) { return option_of(*row).substr(2) == option; });
    return found == rows.end() ? nullptr : *found;
}

const Axis& axis(std::string_view name) {
    const Axis* const found = find_axis(name);
    if (found == nullptr) {
        throw Error(Failure::kUsage, fmt::format("no axis is named '{}'", name), "engine/plan/axes/ has no such row",
                    fmt::format("name one of `{} schema`", called()));
    }
    return *found;
}

std::string meaning_of(const Axis& axis) {
    const std::vector<std::string> defaults = axis.defaults != nullptr ? axis.defaults() : std::vector<std::string>();
    const std::string usual = written(value_of(axis, Plan{}));
    std::string text = with_names(axis.help);
    std::size_t at = text.find(kDefaultHere);
    for (std::size_t next = 0; at != std::string::npos; ++next) {
        const std::string& value = axis.defaults != nullptr ? defaults.at(next) : usual;
        text.replace(at, kDefaultHere.size(), value);
        at = text.find(kDefaultHere, at + value.size());
    }
    return text;
}

std::string idle_note_of(const Axis& axis) { return with_names(axis.idle_note); }

std::string help_of(const Axis& axis) {
    const bool told = axis.help.find(kDefaultHere) != std::string_view::npos;
    if (axis.depends || told || !axis.usual.empty()) return meaning_of(axis);
    return fmt::format("{} (default: {})", meaning_of(axis), written(value_of(axis, Plan{})));
}

Spelling respelled(std::string_view name, std::string_view value) {
    const Axis* const row = find_axis(name);
    return row == nullptr || row->respelled == nullptr ? Spelling{} : row->respelled(value);
}

std::string options_text(const Spelling& spelling) {
    std::string text;
    for (const auto& [name, value] : spelling)
        text += fmt::format("{}{} {}", text.empty() ? "" : " ", option_of(axis(name)), value);
    return text;
}

bool applies(const Plan& plan, std::string_view name) { return applies(axis(name), plan); }

Plan collapsed(Plan plan) {
    for (const Axis* row : axes()) { // whose default gives others their meaning
        if (row->idle == Axis::Idle::kDefaultFirst && !applies(*row, plan)) reset(*row, plan);
    }
    const Plan seen = plan;
    for (const Axis* row : axes()) {
        if (row->idle == Axis::Idle::kDefault && !applies(*row, seen)) reset(*row, plan);
    }
    for (const Axis* row : axes()) {
        if (row->settle != nullptr) row->settle(plan);
    }
    return plan;
}

std::string describe(const Plan& plan, std::string_view said) {
    std::map<int, std::string> parts{{kParametersPlace, parameters_text(plan)}};
    for (const Axis* row : axes()) {
        const bool told = !said.empty() && written(value_of(*row, plan)) == said;
        if (row->sentence.text != nullptr && !told) parts[row->sentence.place] += row->sentence.text(plan);
    }
    std::string sentence;
    for (const auto& [place, text] : parts) sentence += text;
    return sentence;
}

} // namespace hogwild
