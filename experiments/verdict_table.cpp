#include "experiments/verdict_table.h"

#include "engine/error.h"
#include "experiments/ceilings.h"
#include "experiments/compare.h"
#include "experiments/durable.h"
#include "experiments/json.h"
#include "experiments/verdict_row.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace hogwild {
namespace {

Json manifest_of(const Summary& summary, const SummaryRow& row) {
    const Json manifest = json_at(std::filesystem::path(summary.folder) / row.text("run") / "manifest.json");
    return manifest.is_object() ? manifest : Json::object();
}

/// Of a folder of `hogwild tune` all but the finals, on seeds that all who met there ran: other trials chose who was to meet.
void drop_races(Summary& summary) {
    const Json command = manifest_of(summary, summary.rows.front()).value("command", Json());
    if (!command.is_array() || command.size() < 2 || command[1] != "tune") return;
    std::erase_if(summary.rows,
                  [&](const SummaryRow& row) { return manifest_of(summary, row).value("finals", Json()) != true; });
    std::map<std::string, std::size_t> runs; // by seed
    std::size_t all = 0;
    for (const SummaryRow& row : summary.rows) all = std::max(all, ++runs[row.text("seed")]);
    std::erase_if(summary.rows, [&](const SummaryRow& row) { return runs.at(row.text("seed")) < all; });
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
        drop_races(summary);
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
