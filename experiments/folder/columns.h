// Cells of tables that are files: what stands in one, and how rows of them are written.
//
// Thread-safe: plain values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hogwild {

/// A cell is empty (monostate) where an axis does not apply, nothing was measured, or a number is not finite.
using Cell = std::variant<std::monostate, std::string, double, std::uint64_t>;

struct Column {
    std::string_view name;
    Cell cell;
};

std::string cell_text(const Cell& cell);

/// Header and row of any table of such cells.
std::string header_line(const std::vector<Column>& row);
std::string row_line(const std::vector<Column>& row);

/// The row as one JSON object with a line end; empty cells are null.
std::string json_line(const std::vector<Column>& row);

} // namespace hogwild
