// What the program knows of axes, models' parameters, schemes, problems and so on: as JSON, and as a reference page.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

namespace hogwild {

/// An object. `version` is that of the files' schema. `axes` stand in the order of their columns; `parameters` are models'.
/// `schemes`, `problems`, `scores`, `networks` with names and `memories` have their properties. `columns` are
/// summary.csv's, `measured` those of what was measured, `own_columns` those of a configuration.
std::string schema_json_text();

/// A page in Markdown: a table of each group of axes with values, default and meaning.
std::string axes_page();

} // namespace hogwild
