// Runs that are repeats of each other, and which of two folders' answer the same question.
//
// A configuration is everything that was asked for but the seed. Between two folders, axes of Tuning::kFine may differ
// (step_size, batch and others), since each side may have been tuned, and so may settings that no column shows, which the report's
// first line names. One of these tells configurations apart only where
// a folder holds several values of it among runs that agree in all else.
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) for a seed that a configuration holds twice.
#pragma once

#include "experiments/folder/summary_rows.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {

/// Columns of summary.csv that say what was asked for.
const std::vector<std::string_view>& asked_columns();

/// The same, and settings that only rows of runs that differ in them have (experiments/folder/unseen_settings.h): what tells
/// configurations apart.
const std::vector<std::string_view>& identity_columns();

/// Those that say what is minimised, on what, and what a gradient costs: only runs that agree in them are compared.
std::vector<std::string_view> objective_columns();

struct Configuration {
    std::map<std::uint64_t, const SummaryRow*> runs; // by seed, never empty

    const SummaryRow& first() const { return *runs.begin()->second; }
    const std::string& asked(std::string_view column) const { return first().text(column); }
};

/// Sorted by what was asked, numbers as numbers. The summary must outlive them.
std::vector<Configuration> configurations(const Summary& summary);

/// The cells of so many columns of a configuration.
template <class Columns>
std::vector<std::string> cells_of(const Configuration& of, const Columns& columns) {
    std::vector<std::string> cells;
    for (const auto& column : columns) cells.push_back(of.asked(column));
    return cells;
}

struct Match {
    const Configuration *a, *b;
};

struct Matches {
    std::vector<Match> both; // in the order of b
    std::vector<const Configuration*> only_a, only_b;
    std::string nearest; // when nothing matched: "threads (1 and 2)", where the closest two differ
};

Matches match(const std::vector<Configuration>& a, const std::vector<Configuration>& b);

} // namespace hogwild
