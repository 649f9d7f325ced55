#include "experiments/verdict_table.h"

#include "engine/error.h"
#include "experiments/ceilings.h"
#include "experiments/compare.h"
#include "experiments/durable.h"
#include "experiments/json.h"
#include "experiments/verdict_row.h"

#include <algorithm>
#include <filesystem>

namespace hogwild {
namespace {

/// Whether `hogwild tune` ran it: trials whose best is chosen by them are no evidence of how good that is.
bool is_tuning(const Summary& summary) {
    const std::string& run = summary.rows.front().text("run");
    const Json manifest = json_at(std::filesystem::path(summary.folder) / run / "manifest.json");
    const Json command = manifest.is_object() ? manifest.value("command", Json()) : Json();
    return command.is_array() && command.size() > 1 && command[1] == "tune";
}

bool can_be_judged(const Comparison& of) { return of.a.runs.size() >= kFewestPairs; }

} // namespace

std::string verdicts_csv(const std::vector<std::vector<Column>>& rows) {
    std::string text = header_line(rows.front());
    for (const std::vector<Column>& row : rows) text += row_line(row);
    return text;
}

void write_verdicts(const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(folder) / "verdicts.csv";
    if (std::filesystem::exists(path)) return; // a sweep's, or what somebody asked for
    std::vector<std::vector<Column>> rows;
    try {
        const Metric metric = parse_metric("time-to-target");
        Summary summary = read_summary(folder, {"run", "scheme", "seed", "target"});
        if (is_tuning(summary)) return;
        add_ceiling_shares(summary);
        const Compared compared = compare_with_best(summary, {{"scheme", "serial"}}, metric);
        if (std::ranges::none_of(compared.list, can_be_judged)) return;
        for (const Comparison& of : compared.list) rows.push_back(verdict_row(of, metric, folder, folder));
    } catch (const Error& error) {
        if (error.failure() == Failure::kDisk) throw;
        return; // nothing that is to be judged
    }
    replace_file(path, verdicts_csv(rows));
}

} // namespace hogwild
