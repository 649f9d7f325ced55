// Which rows of a folder's summary.csv say how methods compare.
//
// Thread-safe for different summaries. Errors: none; a run whose manifest.json cannot be read is no trial.
#pragma once

#include "experiments/folder/summary_rows.h"

namespace hogwild {

/// Keeps of a folder of `hogwild tune` the finals, on seeds that all who met there ran: other trials chose who was to
/// meet. Other folders keep all rows. `summary`: as read_summary gives it.
void drop_races(Summary& summary);

} // namespace hogwild
