#include "experiments/compare/verdict_table.h"

#include "engine/error.h"
#include "experiments/compare/ceilings.h"
#include "experiments/compare/compare.h"
#include "experiments/compare/samples_apart.h"
#include "experiments/compare/verdict_row.h"
#include "experiments/files/durable.h"
#include "experiments/folder/unseen_settings.h"
#include "experiments/tune/final_rows.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace hogwild {
namespace {

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
        tell_samples_apart(std::array{&summary});
        tell_settings_apart(std::array{&summary});
        const Compared compared = compare_with_best(summary, against_serial(), metric);
        if (std::ranges::none_of(compared.list, can_be_judged)) return;
        for (const Comparison& of : compared.list) rows.push_back(verdict_row(of, metric, folder, folder));
    } catch (const Error& error) {
        if (error.failure() == Failure::kDisk) throw;
        return; // nothing that is to be judged
    }
    replace_file(path, verdicts_csv(rows));
}

} // namespace hogwild
