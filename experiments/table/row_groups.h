// The rows of the final table: runs that differ in their seed only, and what they are compared with.
//
// Thread-safe: pure functions.
#pragma once

#include "engine/plan/plan.h"

#include <functional>
#include <vector>

namespace hogwild {

struct Result; // experiments/folder/result.h

/// Runs that differ in their seed only.
struct Group {
    Plan plan; // of the first
    std::vector<const Result*> runs;

    std::vector<double> values(const std::function<double(const Result&)>& of) const;
    double median_of(const std::function<double(const Result&)>& of) const;
};

/// In the order of the results, which must outlive the groups.
std::vector<Group> by_seed(const std::vector<Result>& results);

bool has_target(const Result& result);

/// Seconds to the target; forever, for a run that did not get there.
double time_or_forever(const Result& result);

/// Bigger is better: what speed-ups are ratios of. Updates count only where all of them led somewhere.
double speed(const Group& group);

bool has_serial(const std::vector<Group>& groups);

/// Where updates per second are compared: whether serial code steps on batches, and rows differ in theirs.
bool compares_batches(const std::vector<Group>& groups);

/// The fastest serial group with the same objective, or nullptr. Where batches are compared, of those with the plan's batch if
/// there are some: what an image costs depends on it.
const Group* yardstick(const std::vector<Group>& groups, const Plan& plan);

} // namespace hogwild
