// What a run leaves behind: observations along the way, totals, telemetry. Plain values, no owner but the vectors.
#pragma once

#include "engine/machine/disturbance.h"
#include "engine/none.h"
#include "engine/record/status.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

/// What a problem is scored by: as many as it has scores (engine/plan/problem_traits.h), the rest kNone.
using Scores = std::array<double, 3>;
inline constexpr Scores kNoScores = {kNone, kNone, kNone};

/// One evaluated snapshot; a row of trace.csv.
struct Observation {
    double seconds = 0;              // on the run's clock: when the copy began, of a GPU's half way through it
    double epoch = 0;                // updates' samples / rows
    std::uint64_t updates = 0;       // samples consumed by all workers half way through the copy
    double train_loss = kNone;       // F(w): mean loss over the training samples + (lambda / 2) |w|^2
    double test_loss = kNone;        // mean loss over the test samples, no regulariser
    Scores scores = kNoScores;       // each of the samples that it is of
    double optimality_bound = kNone; // F(w) - F* is at most this
};

/// So many steps had a staleness from `from` to `to`.
struct StalenessCount {
    std::uint64_t from = 0, to = 0, steps = 0;
};

/// Distribution of staleness: steps of others that wrote between a worker's read and its write.
struct StalenessSummary {
    std::uint64_t count = 0;
    double mean = kNone, median = kNone, p90 = kNone, p99 = kNone, p999 = kNone, max = kNone;
    std::vector<StalenessCount> counts{}; // ascending, without empty ones; a row each of staleness.csv
};

/// Exchanges of a worker's replica with the shared model (engine/schemes/replicas/shared_model.h).
struct ExchangeCounts {
    std::uint64_t due = 0;     // segments whose turn it was; one that was put off is due again at every chunk's end
    std::uint64_t put_off = 0; // of these, since another worker held it; the others were exchanged
};

struct Telemetry {
    StalenessSummary staleness;
    std::vector<StalenessSummary>
        layers{}; // of a network's: steps of CPU threads there; of layers without weights nothing
    std::uint64_t increments_issued = 0;  // lost-update meter: coordinates incremented by all workers
    std::uint64_t increments_lost = 0;    // of these, overwritten before anyone could read them
    std::uint64_t increments_dropped = 0; // cas-bounded: given up after the retry limit
    std::uint64_t gradients_dropped = 0;  // of samples, by backup-workers: they came too late for their step
    std::uint64_t steps_dropped =
        0; // with all their increments: publish, after the retry limit; too stale for their rule
};

/// From `seconds` on a device's steps, of which it had made `steps` by then, take so many samples.
struct BatchChange {
    double seconds = 0;
    std::uint32_t batch = 0;
    std::uint64_t steps = 0;
};

/// What a device did by batches, where CPU threads and a GPU both do; else no steps, and no batch.
struct DeviceSteps {
    std::uint64_t steps = 0;
    std::vector<BatchChange> batches{}; // from the first on; a row each of batches.csv
};

struct BatchTotals {
    DeviceSteps cpu, gpu;
};

/// What the GPU's streams did.
struct GpuShare {
    std::uint64_t updates = 0;              // samples consumed by streams, of Outcome::updates
    std::uint64_t bridge_rounds = 0;        // exchanges between the host's array and a replica, whatever asked for them
    std::uint64_t increments_issued = 0;    // of Telemetry::increments_issued
    std::uint64_t steps_dropped = 0;        // of Telemetry::steps_dropped
    StalenessSummary staleness;             // steps of the GPU between a step's read and its write
    std::vector<StalenessSummary> layers{}; // steps that wrote one layer between a step's read and its write, of each
                                            // layer of a network
    std::vector<std::uint64_t>
        team_updates{}; // samples of the first stream's teams, then of the second's; none where warps or graphs step
    bool shares_cells = false;     // CPU threads and streams increment the same cells
    bool cells_are_atomic = false; // where they do: an atomic increment of either side is one for the other
};

struct Outcome {
    std::string status{kDoneStatus.name}; // one of kStatuses
    std::string reason;                   // why not done, for a person
    // From when all workers are awake to after the last ended and lazy L2 is flushed, copies included. For an
    // interrupted run without a GPU it ends at the last observation.
    double seconds = 0;
    double copy_seconds = 0; // spent copying snapshots, summed over workers (on the clock)
    double wait_seconds =
        kNone; // in barriers, or for samples that are free; mean over workers; kNone where a scheme has neither
    double least_share =
        kNone; // hogwild: samples of the CPU thread with fewest over the mean of all; kNone of one thread
    // Where workers claim what they step through: samples of each CPU thread, then of each GPU stream. Empty elsewhere,
    // and for a run that went on from an earlier process's.
    std::vector<std::uint64_t> worker_updates{};
    // Those of each CPU thread, where they have replicas of what is shared; empty elsewhere.
    std::vector<ExchangeCounts> worker_exchanges{};
    std::uint64_t updates = 0;   // samples consumed
    std::uint64_t nonzeros = 0;  // nonzeros of these samples
    std::uint64_t rebases = 0;   // times the lazy L2 scale was multiplied back into the buffer
    std::uint64_t saturated = 0; // int8: coordinates that ended at an end of what such numbers reach
    Disturbance disturbance;     // while the clock ran; of a run in parts, in its last one
    std::vector<Observation> observations;
    std::vector<float> weights; // the final weights, flushed
    Telemetry telemetry;        // its staleness: steps of CPU threads
    GpuShare gpu;
    BatchTotals batches;
};

} // namespace hogwild
