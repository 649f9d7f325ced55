// What the program's axes, models' parameters, schemes, problems and so on are, for whoever reads its files: as JSON, and as a reference page.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

namespace hogwild {

/// An object: `version` of the files' schema, `axes` in the order of their columns, `parameters` of models, `schemes`, `problems`,
/// `scores`, `networks` that have names, `memories`, `measured` columns, `own_columns` of a configuration, and `columns` of summary.csv.
std::string schema_json_text();

/// A page in Markdown: a table of each group of axes with values, default and meaning.
std::string axes_page();

} // namespace hogwild
