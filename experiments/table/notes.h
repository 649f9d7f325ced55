// What a reader of the final table must know, in lines below it.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/folder/result.h"
#include "experiments/table/row_groups.h"

#include <string>
#include <vector>

namespace hogwild {

/// Its workers waited for cores in more than a twentieth of their time, so that the time is not the run's alone.
bool was_disturbed(const Result& result);

/// CPU threads and a GPU incremented the same cells, and not atomically.
bool is_not_atomic(const Result& result);

/// `groups`: of the results.
std::string footnotes(const std::vector<Result>& results, const std::vector<Group>& groups);

} // namespace hogwild
