// The text of a plan: what is hashed, stored, and read again.
#include "engine/error.h"
#include "engine/plan/axes.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hogwild {
namespace {

/// The axes that are fields of a plan, in the order of its text.
const std::vector<const Axis*>& written_axes() {
    static const std::vector<const Axis*> kRows = [] {
        std::vector<const Axis*> rows;
        std::ranges::copy_if(axes(), std::back_inserter(rows), [](const Axis* row) { return row->text_place > 0; });
        std::ranges::sort(rows, {}, &Axis::text_place);
        return rows;
    }();
    return kRows;
}

[[noreturn]] void refuse(std::string_view name, std::string_view text) {
    throw Error(Failure::kUsage, fmt::format("a plan's {} cannot be '{}'", name, text), "it is no such number",
                "use the text that a plan was written as");
}

template <class Number>
Number read_number(std::string_view name, const std::string& text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (fault != std::errc{} || stop != end) refuse(name, text);
    return value;
}

void read_field(const Axis& axis, const std::string& text, Plan& plan) {
    if (axis.read != nullptr) return axis.read(plan, text);
    std::visit(
        [&]<class F>(const F& field) {
            if constexpr (std::is_same_v<F, TextField>) {
                field(plan) = text;
            } else if constexpr (!std::is_same_v<F, std::monostate>) {
                field(plan) = read_number<std::remove_reference_t<decltype(field(plan))>>(axis.name, text);
            }
        },
        axis.field);
}

/// take(name, text) for each field, in the order of the plan's text.
void each_field(const Plan& plan, const auto& take) {
    for (const Axis* row : written_axes()) {
        if (row->written == nullptr || row->written(plan))
            take(row->name, row->text == nullptr ? written(value_of(*row, plan)) : row->text(plan));
    }
    const std::span<const Parameter> known = problem_traits(plan).parameters;
    const std::vector<double> values = parameters(plan);
    for (std::size_t i = 0; i < values.size(); ++i) take(known[i].name, fmt::format("{}", values[i]));
}

} // namespace

std::vector<std::pair<std::string, std::string>> fields(const Plan& plan) {
    std::vector<std::pair<std::string, std::string>> texts;
    each_field(plan, [&](std::string_view name, std::string text) { texts.emplace_back(name, std::move(text)); });
    return texts;
}

Plan plan_of(const std::vector<std::pair<std::string, std::string>>& texts) {
    Plan plan;
    std::size_t read = 0;
    const auto text_named = [&](std::string_view name) -> const std::string* {
        const auto field = std::ranges::find(texts, name, &std::pair<std::string, std::string>::first);
        if (field == texts.end()) return nullptr;
        ++read;
        return &field->second;
    };
    for (const Axis* row : written_axes()) {
        if (const std::string* text = text_named(row->name)) read_field(*row, *text, plan);
    }
    for (const Parameter& parameter : problem_traits(plan).parameters) {
        const std::string* const text = text_named(parameter.name);
        plan.parameters.push_back(text == nullptr ? parameter.usual : read_number<double>(parameter.name, *text));
    }
    if (read != texts.size()) {
        throw Error(Failure::kUsage, "the text of a plan has fields that no plan has", "another version wrote it",
                    "use the program that wrote it");
    }
    return plan;
}

std::uint64_t hash(const Plan& plan) {
    std::string text;
    each_field(plan, [&](std::string_view name, const std::string& value) {
        text.append(name).append("=").append(value).append("\n");
    });
    return XXH3_64bits(text.data(), text.size());
}

} // namespace hogwild
