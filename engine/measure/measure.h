// What this machine can do, measured: the ceilings that a run's speed is compared with.
//
// Each measurement takes some tens of milliseconds and uses a team of pinned workers. Figures are of an idle machine
// only if it is idle: state the load beside them. Not reentrant: two measurements at a time disturb each other. Errors:
// those of WorkerTeam and of memory; unknown names throw Error (Failure::kUsage).
#pragma once

#include "engine/workers/team.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// Streaming through arrays larger than the caches, the best of several passes. As in STREAM, a triad
/// a[i] = b[i] + s * c[i] counts two arrays read and one written, not the read that a write may cause.
struct Bandwidth {
    unsigned workers = 0;
    std::uint64_t array_bytes = 0; // of each of the three arrays, all workers together
    double read = 0;               // bytes per second
    double triad = 0;              // bytes per second
};
Bandwidth measure_bandwidth(WorkerTeam& team, std::uint64_t array_bytes);

/// Arrays for measure_bandwidth: four times the last-level cache, within 64 to 256 MiB and a sixteenth of free memory.
std::uint64_t bandwidth_array_bytes();

/// Nanoseconds for a cache line, written on one core, to be read on another. It is half a ping-pong between the first
/// two places of Pin::kCores. The fastest of several batches counts, since company only adds to it. None when only one
/// core is usable.
std::optional<double> measure_line_transfer_ns();

/// Random +1 increments of one buffer by all workers of a team (engine/measure/increment_loop.h).
struct IncrementRate {
    std::string update; // catalog name of the policy
    unsigned workers = 0;
    std::uint64_t floats = 0; // size of the buffer
    double per_second = 0;    // increments of all workers together, draws included
    std::optional<double>
        kept; // share of the increments that the buffer holds afterwards; none when nothing is written
    std::uint64_t issued = 0;
    std::uint64_t dropped = 0; // given up by the policy itself
};
/// `floats` is a power of two, at least 16 (one line) and at most 2^32. Ends after `seconds`, or before a cell could
/// saturate. `cas_limit`: tries of cas-bounded.
IncrementRate measure_increments(WorkerTeam& team, std::string_view update, std::uint64_t floats, double seconds = 0.02,
                                 std::uint32_t cas_limit = 8);

/// Nanoseconds that drawing one coordinate adds to an increment when nothing hides it. It is measured by the loop with
/// a policy that does nothing, on worker 0; the best of many batches counts.
double measure_draw_ns(WorkerTeam& team);

struct Capabilities {
    std::vector<Bandwidth> bandwidth; // by workers, ascending
    std::optional<double> line_transfer_ns;
    double draw_ns = 0;
    std::vector<IncrementRate> increments; // every policy x one line, 2^12, 2^16, 2^20, 2^24 floats, by workers
};

/// All of the above, about a second for each number of workers. These numbers are one, as many as there are usable
/// cores, and those of `more` that lie between.
Capabilities measure_capabilities(const std::vector<unsigned>& more = {});

} // namespace hogwild
