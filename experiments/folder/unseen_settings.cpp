#include "experiments/folder/unseen_settings.h"

#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/axis.h"
#include "experiments/text/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <set>

namespace hogwild {
namespace {

constexpr std::string_view kSaid = "hot_updates"; // by the cell of `update`

using Cells = std::map<std::string_view, std::string>; // by setting

std::string cell_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? exact(value.get<double>()) : value.dump();
}

Cells cells_of(const Summary& summary, const SummaryRow& row) {
    const Json manifest = json_at(std::filesystem::path(summary.folder) / row.text("run") / "manifest.json");
    const Json plan = manifest.is_object() ? manifest.value("plan", Json()) : Json();
    Cells cells;
    if (!plan.is_object()) return cells;
    for (const std::string_view name : unseen_columns()) {
        if (const auto found = plan.find(std::string(name)); found != plan.end()) cells[name] = cell_of(*found);
    }
    return cells;
}

} // namespace

const std::vector<std::string_view>& unseen_columns() {
    static const std::vector<std::string_view> kNames = [] {
        std::vector<std::string_view> names;
        for (const Axis* axis : axes()) {
            if (!axis->column && axis->role == Axis::Role::kSetting && axis->name != kSaid) names.push_back(axis->name);
        }
        return names;
    }();
    return kNames;
}

std::vector<std::string> tell_settings_apart(std::span<Summary* const> summaries) {
    std::vector<std::pair<SummaryRow*, Cells>> rows;
    std::map<std::string_view, std::set<std::string>> values; // by setting
    for (Summary* summary : summaries) {
        for (SummaryRow& row : summary->rows) {
            rows.emplace_back(&row, cells_of(*summary, row));
            for (const auto& [name, cell] : rows.back().second) values[name].insert(cell);
        }
    }
    std::vector<std::string> notes;
    for (const auto& [name, several] : values) {
        if (several.size() < 2) continue;
        notes.push_back(fmt::format("runs differ in {} ({}), which no column of summary.csv shows",
                                    option_of(axis(name)), fmt::join(several, ", ")));
        for (auto& [row, cells] : rows) row->cells[std::string(name)] = cells[name];
    }
    return notes;
}

} // namespace hogwild
