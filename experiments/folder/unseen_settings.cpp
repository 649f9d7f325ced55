#include "experiments/folder/unseen_settings.h"

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

bool is_unseen(const Axis& axis) { return !axis.column && axis.role == Axis::Role::kSetting; }

} // namespace

std::vector<std::string> unseen_settings(std::span<const Summary* const> summaries) {
    std::map<std::string, std::set<std::string>> values; // by option
    for (const Summary* summary : summaries) {
        for (const SummaryRow& row : summary->rows) {
            const Json manifest = json_at(std::filesystem::path(summary->folder) / row.text("run") / "manifest.json");
            const Json plan = manifest.is_object() ? manifest.value("plan", Json()) : Json();
            if (!plan.is_object()) continue;
            for (const Axis* axis : axes()) {
                const auto found = is_unseen(*axis) ? plan.find(axis->name) : plan.end();
                if (found != plan.end()) values[option_of(*axis)].insert(found->dump());
            }
        }
    }
    std::vector<std::string> notes;
    for (const auto& [option, several] : values) {
        if (several.size() > 1)
            notes.push_back(
                fmt::format("runs differ in {} ({}), which no column shows", option, fmt::join(several, ", ")));
    }
    return notes;
}

} // namespace hogwild
