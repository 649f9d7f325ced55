// What a reader of the final table must know, in lines below it.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/report_groups.h"

#include <string>
#include <vector>

namespace hogwild {

/// CPU threads and a GPU incremented the same cells, and not atomically.
bool is_not_atomic(const Result& result);

/// `groups`: of the results.
std::string footnotes(const std::vector<Result>& results, const std::vector<Group>& groups);

} // namespace hogwild
