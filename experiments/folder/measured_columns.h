// What is measured of a run, a row for each column of summary.csv behind the axes: its name, what it is, and its cell.
//
// A new column is one row here. summary.csv, the JSON lines, the table behind a run and `hogwild schema` follow.
// Thread-safety: constants and pure functions.
#pragma once

#include "experiments/folder/columns.h"

#include <span>
#include <string_view>

namespace hogwild {

struct Result; // experiments/folder/result.h

struct MeasuredColumn {
    std::string_view name;
    std::string_view kind;  // text | count | real
    std::string_view about; // with {backups} for schemes: engine/plan/name_places.h
    Cell (*cell)(const Result&);
};

/// In the order of the header; the scores of problems stand between the two lists.
std::span<const MeasuredColumn> measured_before_scores();
std::span<const MeasuredColumn> measured_behind_scores();

/// Empty where the number is not finite, or the cell means nothing.
Cell number_cell(double value);
Cell cell_if(bool means_something, Cell cell);

} // namespace hogwild
