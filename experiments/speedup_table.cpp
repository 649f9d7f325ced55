#include "experiments/speedup_table.h"

#include "engine/error.h"
#include "engine/schemes/kind.h"
#include "experiments/durable.h"
#include "experiments/numbers.h"
#include "experiments/result.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace hogwild {
namespace {

Cell number(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

/// What one row is of.
struct Key {
    std::string data, problem, scheme;
    std::uint64_t workers;

    auto operator<=>(const Key&) const = default;
};

std::uint64_t workers_of(const SummaryRow& row) { return parse_count(row.text("threads")).value_or(0); }

/// "hogwild-atomic-locked"
std::string variant_of(const SummaryRow& row) {
    std::string name = row.text("scheme");
    const std::string &update = row.text("update"), &guard = row.text("guard");
    if (!update.empty()) name += '-' + update;
    if (!guard.empty() && guard != "none") name += '-' + guard;
    return name;
}

/// Schemes of which some number of workers ran with more than one update policy or guard.
std::set<std::string> varied(const std::vector<const Comparison*>& all) {
    std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, std::set<std::string>> variants;
    for (const Comparison* of : all) {
        const SummaryRow& row = of->first();
        variants[{row.text("data"), row.text("problem"), row.text("scheme"), workers_of(row)}].insert(variant_of(row));
    }
    std::set<std::string> schemes;
    for (const auto& [key, names] : variants) {
        if (names.size() > 1) schemes.insert(std::get<2>(key));
    }
    return schemes;
}

std::vector<Column> row_of(const Key& key, const Comparison& of) {
    // A ratio of costs, B over A: its reciprocal is A's time over B's.
    const double speedup = 1 / of.ratio.ratio, low = 1 / of.ratio.high, high = 1 / of.ratio.low;
    return {{"data", key.data},
            {"problem", key.problem},
            {"scheme", key.scheme},
            {"kind", std::string(kind_of(of.first().text("scheme")))},
            {"workers", key.workers},
            {"speedup", number(speedup)},
            {"low", std::isnan(of.ratio.ratio) ? Cell() : number(low)},
            {"high", std::isnan(of.ratio.ratio) ? Cell() : number(high)}};
}

/// Whether data and problem alone say what was minimised.
bool one_objective_each(const Compared& compared) {
    std::set<std::pair<std::string, std::string>> seen;
    return std::ranges::all_of(compared.baselines, [&](const Configuration& serial) {
        return seen.emplace(serial.asked("data"), serial.asked("problem")).second;
    });
}

} // namespace

std::string speedup_csv(const Compared& compared) {
    std::vector<const Comparison*> all;
    for (const Comparison& of : compared.list) {
        if (of.first().text("device") == "cpu" && kind_of(of.first().text("scheme")) != "serial") all.push_back(&of);
    }
    const std::set<std::string> named = varied(all);
    std::map<Key, const Comparison*> best;
    std::set<std::uint64_t> workers;
    for (const Comparison* of : all) {
        const SummaryRow& row = of->first();
        const std::string& scheme = row.text("scheme");
        const Key key{row.text("data"), row.text("problem"), named.contains(scheme) ? variant_of(row) : scheme,
                      workers_of(row)};
        workers.insert(key.workers);
        const auto [at, fresh] = best.emplace(key, of);
        if (!fresh && of->b.median() < at->second->b.median()) at->second = of;
    }
    if (workers.size() < 2) return "";
    std::string text;
    for (const auto& [key, of] : best) {
        const std::vector<Column> row = row_of(key, *of);
        if (text.empty()) text = header_line(row);
        text += row_line(row);
    }
    return text;
}

void write_speedup(const std::string& folder) {
    std::string text;
    try {
        const Metric metric = parse_metric("time-to-target");
        const Summary summary = read_summary(folder, {"scheme", "threads", "data", "problem", "seed", "target"});
        const Compared compared = compare_with_best(summary, {{"scheme", "serial"}}, metric);
        if (one_objective_each(compared)) text = speedup_csv(compared);
    } catch (const Error& error) {
        if (error.failure() == Failure::kDisk) throw;
        return; // nothing that speaks of time to a target
    }
    if (!text.empty()) replace_file(std::filesystem::path(folder) / "speedup.csv", text);
}

} // namespace hogwild
