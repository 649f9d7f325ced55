// A comparison as a row of verdicts.csv and as a JSON line: results/schema.json describes its columns.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/compare/compare.h"
#include "experiments/folder/columns.h"

#include <string>
#include <vector>

namespace hogwild {

/// `folder_a`, `folder_b`: as they were named; the same where one folder was compared with its own baseline.
std::vector<Column> verdict_row(const Comparison& of, const Metric& metric, const std::string& folder_a,
                                const std::string& folder_b);

/// The median over a side's runs of `column`, or of `column` / `per`; nothing where no run has it.
std::optional<double> median_of(const Side& side, std::string_view column, std::string_view per = {});

} // namespace hogwild
