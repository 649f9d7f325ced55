// What it takes to go on with a run that another process began.
//
// The arrow: engine/run/samples_with_model.h. Thread-safety: pure functions.
#pragma once

#include "engine/record/snapshot.h"

#include <cstdint>
#include <span>
#include <string>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// An earlier process's part of a run.
struct Part {
    std::span<const Snapshot> snapshots; // as they were taken, observation 0 first; the run goes on from the last
    std::span<const double> losses;      // shown with the last one
    std::uint32_t coordinates;           // weights in each snapshot: as many as the model has
};

/// Why snapshots of such a run do not say all that it takes to go on from them; an empty string: they do.
///
/// Schemes that are deterministic then go on bit by bit: the same weights, the same losses. For other schemes see
/// `unsure_samples`. Barrier waits are unknown for a run in two parts. Core waits are those of its last part, and so
/// are rebases and dropped gradients of synchronous schemes.
std::string why_not_go_on(const Plan& plan);

/// How far a snapshot may be from the weights after its `updates` samples in order. At most so many of these are not,
/// or not wholly, in it, and at most so many others are. A run that goes on from it leaves the former out and takes the
/// latter twice. It is 0 where one thread steps, and at the meetings of local-sgd and minibatch. For backup-workers it
/// is the shares of those who are late. The others have what was consumed during the copy, and besides:
/// - round-robin: a chunk
/// - conflict-free: a window of samples, or an epoch where samples lie in tiles
/// - Hogwild: twice what each worker claims at once, a chunk or a block: what it walks and what it claimed ahead; and a
///   chunk
std::uint64_t unsure_samples(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot);

} // namespace hogwild
