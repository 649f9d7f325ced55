// A snapshot without its values as a line of a checkpoint says it, and whether such lines can be of one run.
//
// Not thread-safe. Errors: OddRecord (experiments/files/record_fields.h).
#pragma once

#include "engine/record/snapshot.h"
#include "experiments/text/json.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

struct SnapshotRecord {
    Snapshot snapshot; // without values
    Json part;
    std::vector<double> losses;
    std::string values_hash;
};

Json json_of(const Snapshot& snapshot, const Json& part, std::span<const double> losses,
             const std::string& values_hash);
SnapshotRecord snapshot_record(const Json& json);

/// Records of a run of `plan` on so many samples, one after the other.
class SnapshotRecords {
public:
    SnapshotRecords(const Plan& plan, std::uint64_t rows) : plan_(plan), rows_(rows) {}

    /// Throws for one that cannot follow those before.
    void check_next(const SnapshotRecord& record);

private:
    const Plan& plan_;
    std::uint64_t rows_;
    std::set<std::uint64_t> seen_; // observations
    std::uint64_t part_ = 1;       // of the last
};

} // namespace hogwild
