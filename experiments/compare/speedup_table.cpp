#include "experiments/compare/speedup_table.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/compare/compare_settings.h"
#include "experiments/compare/samples_apart.h"
#include "experiments/files/csv_reader.h"
#include "experiments/files/durable.h"
#include "experiments/folder/columns.h"
#include "experiments/folder/unseen_settings.h"
#include "experiments/text/stored_text.h"
#include "experiments/tune/final_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

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
    for (const std::string& part : {row.text("update"), guard_of(row)}) {
        if (!part.empty()) name += '-' + part;
    }
    return name;
}

/// "0.0001", or every digit where another of `all` is the same in three.
std::string shown(const std::string& cell, const std::set<std::string>& all) {
    const std::string text = setting_text(cell);
    const auto alike = std::ranges::count_if(all, [&](const std::string& each) { return setting_text(each) == text; });
    return alike > 1 ? cell : text;
}

/// "hinge", or "hinge l2=0.0001" where serial code minimised several functions of one problem on one data set.
std::string problem_of(const SummaryRow& row, const std::vector<Configuration>& serial) {
    std::string name = row.text("problem");
    for (const std::string_view column : objective_columns()) {
        std::set<std::string> values;
        for (const Configuration& of : serial) {
            if (of.asked("data") == row.text("data") && of.asked("problem") == row.text("problem"))
                values.insert(of.asked(column));
        }
        const std::string& cell = row.text(column);
        if (values.size() > 1 && !cell.empty()) name += fmt::format(" {}={}", column, shown(cell, values));
    }
    return name;
}

/// A comparison, and what it is of.
struct Row {
    Key key;
    const Comparison* of;
};

/// Schemes of which some number of workers ran with more than one update policy or guard.
std::set<std::string> varied(const std::vector<Row>& all) {
    std::map<Key, std::set<std::string>> variants;
    for (const Row& row : all) variants[row.key].insert(variant_of(row.of->first()));
    std::set<std::string> schemes;
    for (const auto& [key, names] : variants) {
        if (names.size() > 1) schemes.insert(key.scheme);
    }
    return schemes;
}

/// By what a sweep's choices.csv says that its tuner tried.
Policies policies_of(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / "choices.csv";
    const std::vector<CsvRecord> rows = read_csv(stored_text(path).value_or(""), path.string()).records;
    if (rows.empty()) return Policies::kSchemes;
    const auto tried = static_cast<std::size_t>(std::ranges::find(rows[0].fields, "tried") - rows[0].fields.begin());
    const bool tuned = std::ranges::any_of(rows, [&](const CsvRecord& row) {
        return tried < row.fields.size() && (' ' + row.fields[tried]).find(" update=") != std::string::npos;
    });
    return tuned ? Policies::kVariants : Policies::kSchemes;
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

} // namespace

std::string speedup_csv(const Compared& compared, Policies policies) {
    std::vector<Row> all;
    for (const Comparison& of : compared.list) {
        const SummaryRow& row = of.first();
        if (!on_threads(row) || scheme_traits(row.text("scheme")).kind == SchemeKind::kSerial) continue;
        all.push_back(
            {{row.text("data"), problem_of(row, compared.baselines), row.text("scheme"), workers_of(row)}, &of});
    }
    const std::set<std::string> named = policies == Policies::kSchemes ? varied(all) : std::set<std::string>();
    std::map<Key, const Comparison*> best;
    std::set<std::uint64_t> workers;
    for (auto& [key, of] : all) {
        if (named.contains(key.scheme)) key.scheme = variant_of(of->first());
        workers.insert(key.workers);
        const auto [at, fresh] = best.emplace(key, of);
        if (!fresh && of->b.expected() < at->second->b.expected()) at->second = of;
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
        Summary summary = read_summary(folder, {"scheme", "threads", "data", "problem", "seed", "target"});
        drop_races(summary);
        tell_samples_apart(std::array{&summary});
        tell_settings_apart(std::array{&summary});
        text = speedup_csv(compare_with_best(summary, against_serial(), metric), policies_of(folder));
    } catch (const Error& error) {
        if (error.failure() == Failure::kDisk) throw;
        return; // nothing that speaks of time to a target
    }
    if (!text.empty()) replace_file(std::filesystem::path(folder) / "speedup.csv", text);
}

} // namespace hogwild
