#include "experiments/commands/schema_text.h"

#include "engine/memory/memory_kind.h"
#include "engine/network/network.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/name_places.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "engine/record/status.h"
#include "experiments/compare/compare_settings.h"
#include "experiments/folder/manifest.h"
#include "experiments/folder/measured_columns.h"
#include "experiments/folder/result.h"
#include "experiments/options/memory_and_numbers.h"
#include "experiments/text/json.h"
#include "kernels/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace hogwild {
namespace {

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_of_value(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* real = std::get_if<Real>(&value)) return real->value;
    return std::get<std::uint64_t>(value);
}

const char* kind_of_field(const Axis& axis) {
    if (std::holds_alternative<TextField>(axis.field)) return "text";
    return is_count(axis) ? "count" : "real";
}

const char* group_name(const Axis& axis) {
    switch (axis.group) {
    case Axis::Group::kRun: return "run";
    case Axis::Group::kGpu: return "gpu";
    case Axis::Group::kOne: return "one value";
    }
    return "";
}

const char* role_name(const Axis& axis) {
    switch (axis.role) {
    case Axis::Role::kObjective: return "objective";
    case Axis::Role::kMethod: return "method";
    case Axis::Role::kPlace: return "place";
    case Axis::Role::kSetting: return "setting";
    case Axis::Role::kRepeat: return "repeat";
    }
    return "";
}

/// Which end of its range it never takes.
const char* open_end(const Axis& axis) {
    switch (axis.range.open) {
    case Range::Open::kNone: return "";
    case Range::Open::kBelow: return "least";
    case Range::Open::kAbove: return "most";
    }
    return "";
}

bool has_field(const Axis& axis) { return !std::holds_alternative<std::monostate>(axis.field); }

Json axis_json(const Axis& axis) {
    Json json = {{"name", axis.name},
                 {"option", option_of(axis)},
                 {"group", group_name(axis)},
                 {"kind", kind_of_field(axis)},
                 {"role", role_name(axis)}};
    if (axis.names != nullptr) json["names"] = axis.names();
    json["default"] = has_field(axis) ? json_of_value(value_of(axis, Plan{})) : Json();
    json["default_depends"] = axis.depends;
    json["least"] = finite(axis.range.least);
    json["most"] = finite(axis.range.most);
    json["open"] = open_end(axis);
    json["column"] = axis.column;
    json["help"] = meaning_of(axis);
    json["no_effect"] = idle_note_of(axis);
    return json;
}

Json parameters_json() {
    Json list = Json::array();
    for (const ProblemTraits& problem : all_problems()) {
        for (const Parameter& each : problem.parameters) {
            list.push_back({{"name", each.name},
                            {"option", option_of(each)},
                            {"problem", problem.name},
                            {"kind", each.whole ? "count" : "real"},
                            {"default", each.usual},
                            {"least", each.least},
                            {"most", each.most},
                            {"help", each.about}});
        }
    }
    return list;
}

Json schemes_json() {
    Json list = Json::array();
    for (const SchemeTraits* row : all_schemes())
        list.push_back({{"name", row->name},
                        {"kind", kind_of(row->name)},
                        {"any_memory", row->on_gpu == OnGpu::kStreams},
                        {"repeatable", row->is_repeatable()},
                        {"about", row->about}});
    return list;
}

Json devices_json() {
    Json list = Json::array();
    for (const DeviceTraits& each : kDeviceTraits)
        list.push_back({{"name", each.name}, {"threads", each.threads}, {"gpu", each.gpu}, {"home", each.home}});
    return list;
}

Json statuses_json() {
    Json list = Json::array();
    for (const StatusTraits& each : kStatuses)
        list.push_back({{"name", each.name},
                        {"done", each.done},
                        {"diverged", each.diverged},
                        {"interrupted", each.interrupted},
                        {"failed", each.failed},
                        {"hopeless", each.is_hopeless()}});
    return list;
}

Json telemetries_json() {
    Json list = Json::array();
    Plan plan;
    for (const std::string_view name : known_names("telemetry")) {
        plan.telemetry = name;
        list.push_back({{"name", name}, {"counts", has_telemetry(plan)}, {"counts_all", counts_all(plan)}});
    }
    return list;
}

Json problems_json() {
    Json list = Json::array();
    for (const ProblemTraits& row : all_problems())
        list.push_back({{"name", row.name},
                        {"sparse_rows", is_linear(row.name)},
                        {"convex", is_linear(row.name) || row.convex},
                        {"network", row.takes_network},
                        {"halves", row.has_halves}});
    return list;
}

Json scores_json() {
    Json list = Json::array();
    for (const std::string_view name : known_names("score"))
        list.push_back({{"name", name}, {"more_is_better", more_is_better(name)}});
    return list;
}

Json networks_json() {
    Json list = Json::array();
    for (const NamedNetwork& each : named_networks()) list.push_back({{"name", each.name}, {"layers", each.layers}});
    return list;
}

/// A GPU steps on the host's pages, which stay where they are.
bool crosses_link(const MemoryKind& kind) {
    return device_reaches(kind) && !is_near_device(kind) && kind.place != MemoryKind::Place::kManaged;
}

Json updates_json() {
    Json list = Json::array();
    for (const std::string_view name : known_names("update")) {
        const UpdateTraits traits = update_traits(name);
        list.push_back({{"name", name},
                        {"writes", traits.writes},
                        {"atomic", traits.atomic},
                        {"drops", traits.drops},
                        {"on_gpu", traits.on_gpu}});
    }
    return list;
}

/// Every kind that a buffer can be made of.
Json memories_json() {
    Json list = Json::array();
    for (const std::string_view place : kPlaceNames) {
        for (const std::string_view numbers : kNumbersNames) {
            for (const std::string_view rounding : kRoundingNames) {
                const MemoryKind kind = memory_kind(place, numbers, rounding);
                if (!why_no_memory(kind).empty()) continue;
                list.push_back({{"name", name_of(kind)},
                                {"memory", place},
                                {"numbers", numbers},
                                {"rounding", rounding},
                                {"of_threads_alone", is_host(kind) && !is_float32(kind)},
                                {"unified", is_managed(kind)},
                                {"near_gpu", is_near_device(kind)},
                                {"across_link", crosses_link(kind)}});
            }
        }
    }
    return list;
}

Json measured_json() {
    Json list = Json::array();
    for (const auto rows : {measured_before_scores(), measured_behind_scores()}) {
        for (const MeasuredColumn& each : rows)
            list.push_back({{"name", each.name}, {"kind", each.kind}, {"about", with_names(each.about)}});
    }
    return list;
}

/// What may stand behind the option.
std::string values_text(const Axis& axis) {
    if (axis.names == nullptr) return std::string(axis.typed);
    return fmt::format("{}{}{}", fmt::join(axis.names(), ", "), axis.also.empty() ? "" : ", ", axis.also);
}

std::string default_text(const Axis& axis) {
    if (!axis.usual.empty()) return std::string(axis.usual);
    return axis.depends || axis.defaults != nullptr || !has_field(axis) ? "depends" : written(value_of(axis, Plan{}));
}

std::string one_cell(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
    return text;
}

void add_section(std::string& page, const char* title, Axis::Group group) {
    page += fmt::format(
        "\n## {}\n\n| option | values | default | meaning | without effect where |\n|---|---|---|---|---|\n", title);
    for (const Axis* row : axes()) {
        if (row->group != group) continue;
        page += fmt::format("| `{}` | {} | {} | {} | {} |\n", option_of(*row), one_cell(values_text(*row)),
                            one_cell(default_text(*row)), one_cell(meaning_of(*row)), one_cell(idle_note_of(*row)));
    }
}

} // namespace

std::string schema_json_text() {
    Json json = {{"version", kResultsVersion}, {"axes", Json::array()}};
    for (const Axis* row : axes()) json["axes"].push_back(axis_json(*row));
    json["parameters"] = parameters_json();
    json["schemes"] = schemes_json();
    json["updates"] = updates_json();
    json["devices"] = devices_json();
    json["statuses"] = statuses_json();
    json["telemetries"] = telemetries_json();
    json["problems"] = problems_json();
    json["scores"] = scores_json();
    json["networks"] = networks_json();
    json["memories"] = memories_json();
    json["measured"] = measured_json();
    json["own_columns"] = own_columns();
    Json& columns = json["columns"] = Json::array();
    for (const Column& column : row(Result{})) columns.push_back(column.name);
    return json_text(json, 1) + '\n';
}

std::string axes_page() {
    std::string page =
        "# Axes of an experiment\n\n"
        "`hogwild run` and `[axes]` of a sweep file take these. `hogwild schema --markdown` writes this page.\n";
    add_section(page, "Each takes a list; their product is run", Axis::Group::kRun);
    add_section(page, "Of a GPU; lists too", Axis::Group::kGpu);
    page += "\n## Of models; lists too\n\n| option | problem | default | meaning |\n|---|---|---|---|\n";
    for (const ProblemTraits& problem : all_problems()) {
        for (const Parameter& each : problem.parameters)
            page += fmt::format("| `{}` | {} | {} | {} |\n", option_of(each), problem.name, each.usual, each.about);
    }
    add_section(page, "One value for every run", Axis::Group::kOne);
    page += "\n## What memories and numbers are\n\n" + with_names(kMemoryText) + '\n' + with_names(kNumbersText);
    return page;
}

} // namespace hogwild
