// The snapshots of one run in a file that only grows. Another process can go on with the run from the last of them.
//
// The first line says which run: version, plan, samples. Each snapshot is a line (experiments/files/checked_line.h) and
// the values: columns x 4 bytes, little-endian floats, and a newline. The line has how far the run had come, the losses
// that its steps were decided on, and the part in which it was taken. It has the XXH3 of the values too. A column is a
// weight of the plan's model. What a crash tore is cut off; damage before whole records is an error. So is a whole record that no
// run of the plan on these samples leaves, such as one of an observation beyond its last.
// Cost: one write and one flush to disk a snapshot, columns x 4 bytes.
// Thread-safety: one thread at a time. Errors: Error (Failure::kDisk); of read_checkpoint, too, Error (Failure::kUsage) for a
// file of another run or version.
#pragma once

#include "engine/data/dataset.h"
#include "engine/record/snapshot.h"
#include "experiments/files/durable.h"
#include "experiments/text/json.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// What a file holds.
struct Checkpoint {
    std::uint32_t columns = 0;       // weights in each snapshot: as many as the plan's model has
    std::vector<Snapshot> snapshots; // in the order they were taken; at least one, the first of them of observation 0
    std::vector<Json> parts; // of the run, in which each was taken: their number from 1, and what else was said of them
    std::vector<double> losses; // that steps were decided on up to the last
    std::deque<std::vector<float>> values;
};

class CheckpointFile {
public:
    /// A new file, in the place of one that is there. `part`: {"number": 1, ...}.
    CheckpointFile(const std::filesystem::path& path, const Plan& plan, const Dataset& train, Json part);

    /// Goes on at the end of what read_checkpoint read, in a later part.
    CheckpointFile(const std::filesystem::path& path, Json part, std::uint32_t columns);

    void append(const Snapshot& snapshot, std::span<const double> losses);

private:
    AppendFile file_;
    Json part_;
    std::uint32_t columns_;
};

/// Nothing where there is no file, or no whole snapshot in it. A torn tail is cut off.
std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& path, const Plan& plan, const Dataset& train);

} // namespace hogwild
