// The rows of a results folder's summary.csv, by the names of their columns. Columns that nobody asks for may be there.
// A row's `memory` is what its memory is called, whatever columns said it: "host-int8-nearest".
//
// A row whose run has no name of a folder beside summary.csv, or a status that is none, is refused.
//
// Thread-safe: plain values. Errors: Error, "what (why); what to try". It is missing for a folder or a summary.csv that
// is not there. It is usage for what is no folder or was not written by this program. It is disk for a file that cannot
// be read.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct SummaryRow {
    std::string place; // "DIR/summary.csv:7", for messages
    std::map<std::string, std::string, std::less<>> cells;

    /// Empty where the column is missing.
    const std::string& text(std::string_view column) const;

    /// Nothing where the cell is empty. Errors: usage for text that is no number.
    std::optional<double> number(std::string_view column) const;
};

struct Summary {
    std::string folder; // as it was named
    std::vector<SummaryRow> rows;
    std::string note; // about a torn last line; empty: none
};

/// Columns that a row's `memory` says.
inline constexpr std::array<std::string_view, 2> kPartsOfMemory{"numbers", "rounding"};

/// Reads summary.csv, or summary.csv.gz where only that is there. `required`: columns that must be there.
Summary read_summary(const std::string& folder, const std::vector<std::string_view>& required);

} // namespace hogwild
