#include "experiments/tune/final_rows.h"

#include "experiments/text/json.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace hogwild {
namespace {

Json manifest_of(const Summary& summary, const SummaryRow& row) {
    const Json manifest = json_at(std::filesystem::path(summary.folder) / row.text("run") / "manifest.json");
    return manifest.is_object() ? manifest : Json::object();
}

} // namespace

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

} // namespace hogwild
