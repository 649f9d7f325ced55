// Which share of its machine's measured ceiling a run on CPU threads reached that stepped on sparse rows. It is its
// nonzeros per second over the lower of
//
//   read bandwidth / 8 bytes a nonzero (a column and a value)
//   random increments of a shared buffer per second, where an update policy increments one
//
// at the nearest measured number of workers and size of the buffer, by the ratio of both. Source of the ceilings:
// ceilings*.json of the results' folder, as a sweep or `hogwild info --json` writes them. A run has those of a machine
// like its own. A nonzero of other samples is neither so many bytes nor a random increment, so their runs have no
// share.
//
// Thread-safe for different summaries. Errors: none; a run without ceilings, or with damaged ones, has an empty share.
#pragma once

#include "experiments/folder/summary_rows.h"
#include "experiments/text/json_fwd.h"

#include <optional>
#include <string_view>

namespace hogwild {

/// Nonzeros per second; `measured`: of ceilings.json; `policy`: empty where none increments. Nothing of other JSON.
std::optional<double> ceiling(const Json& measured, std::string_view policy, double threads, double columns);

/// Gives each row the cell `ceiling_share`.
void add_ceiling_shares(Summary& summary);

} // namespace hogwild
