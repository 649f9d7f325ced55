// What was asked for in the rows of a table of comparisons: which settings tell these apart, and which all of them have.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/compare/compare.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// Whether only CPU threads stepped, as they do where a file has no column of devices.
bool on_threads(const SummaryRow& row);

/// The guard that is held; empty where none is.
std::string guard_of(const SummaryRow& row);

/// The guard where one is held, else the update: one column, as in the table of `hogwild run`.
std::string update_or_guard(const SummaryRow& row);

/// A setting as people read it; "-" where it means nothing.
std::string asked_cell(const SummaryRow& row, std::string_view column);

/// "gpu batch" of gpu_batch.
std::string words_of_column(std::string_view column);

/// Whether its cells are names, though they may look like numbers.
bool holds_names(std::string_view column);

/// Columns of workers and of the step size: tables show them wherever they differ.
std::span<const std::string_view> own_columns();

/// As few columns as tell the rows apart, besides scheme and update or guard, and of workers and step sizes any that differ.
std::vector<std::string_view> telling_columns(const std::vector<Comparison>& list);

/// Where no column shows in what the sides of pairs differ: "--half-life 1 (A) against 3 (B)"; with several pairs of values
/// "--half-life by line". Nothing where they agree.
std::string settings_apart(const std::vector<Comparison>& list);

/// "in every row: step decay, epochs 8; where they mean something: threads 2", a line: settings in which `rows` do not differ.
/// `said`: columns that the reader knows otherwise, besides scheme, update and guard.
std::string in_every_row(const std::vector<const SummaryRow*>& rows, const std::vector<std::string_view>& said);

} // namespace hogwild
