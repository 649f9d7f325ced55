// The final table: one row per combination, its seeds folded into their median (and their range).
//
// Speed-up is against the best serial rows of the same problem and L2, not against one thread of the parallel code. It
// is the ratio of median times to target when there is a target, else the ratio of updates per second. For networks the
// serial row has the same batch. A run that diverged or missed the target counts as one that takes forever: it moves
// the median, it is never dropped.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

struct Result; // experiments/folder/result.h

/// The table for people, with a last line that says what the speed-up compares. Empty text when there are no results.
std::string report(const std::vector<Result>& results);

/// Middle value, mean of the two middle ones; infinities count, NaN does not; kNone when there is no value.
double median(std::vector<double> values);

} // namespace hogwild
