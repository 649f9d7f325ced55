// Runs one plan and evaluates what it observed.
#pragma once

#include "engine/data/dataset.h"
#include "engine/plan/plan.h"
#include "engine/record/outcome.h"
#include "engine/record/snapshot.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

namespace hogwild {

/// An earlier process's part of a run.
struct Part {
    std::span<const Snapshot> snapshots; // as they were taken, observation 0 first; the run goes on from the last
    std::span<const double> losses;      // shown with the last one
    std::uint32_t coordinates;           // weights in each snapshot: as many as the model has
};

/// What a run borrows from its caller; all of it outlives the run.
struct RunInputs {
    const Dataset& train;
    const Dataset* test = nullptr;                  // same columns as train
    const Dataset* shuffled = nullptr;              // shuffled(train), where wants_shuffled; made anew when absent
    bool keeps_weights = true;                      // the outcome holds the final ones
    double optimum = kNone;                         // a certified lower bound on F*, for optimality_bound; kNone: none
    const std::atomic<bool>* interrupt = nullptr;   // becomes true on SIGINT; the run stops at the next chunk
    std::atomic<std::uint64_t>* progress = nullptr; // samples consumed so far, for a progress line
    SnapshotSink* sink = nullptr; // is shown snapshots as they are taken; where nothing keeps it from going on
    const Part* before = nullptr; // the same run's; null: it begins
};

/// The samples with the plan's model: its coordinates, and what a step on them increments.
AnyView bound(const AnyView& samples, const Plan& plan);

/// How many weights the plan's model of these samples has: the coordinates of `bound`.
std::uint32_t coordinates(const AnyView& samples, const Plan& plan);

/// Why snapshots of such a run do not say all that it takes to go on from them; an empty string: they do.
///
/// Schemes that are deterministic then go on bit by bit: the same weights, the same losses. Of others see `unsure_samples`.
/// Barrier waits are unknown of a run in two parts; core waits, and rebases and dropped gradients of synchronous schemes, are those of its last part.
std::string why_not_go_on(const Plan& plan);

/// How far a snapshot may be from the weights after its `updates` samples in order: at most so many of these are not, or not
/// wholly, in it, and at most so many others are. A run that goes on from it leaves the former out and takes the latter twice.
/// 0 where one thread steps, and at the meetings of local-sgd and minibatch; of backup-workers the shares of those who are late; of
/// round-robin a chunk and what was consumed
/// during the copy; of conflict-free a window of them; of Hogwild, besides, what it claims at once, a chunk or a block, twice a worker: what it walks and what it claimed ahead.
std::uint64_t unsure_samples(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot);

/// The plan goes through the samples in blocks or tiles (engine/order/order.h), in which they do not lie yet: a caller with several such
/// plans shuffles once. Ratings that lie in tiles are of no use to a plan that wants none.
bool wants_shuffled(const Plan& plan, const Dataset& train);

/// A plan that cannot run on these samples, or means nothing, has a reason; an empty string means it can run. Samples that shuffle
/// in place (engine/data/shuffle.h) are taken to be given away for that.
std::string why_not(const Plan& plan, const Dataset& train);

/// Trains as `plan` says (see engine/schemes/), snapshots on the clock, then evaluates every snapshot off the clock: on samples as
/// `train` has them, of ratings as it steps on them, so that it needs no other copy, and its sums do not depend on there being one.
/// Returns status "diverged" when any snapshot's training loss is not finite, or the final one is above 2 F(w0).
/// Errors: throws Error for a plan that cannot run (why_not). One run at a time per process; not reentrant.
Outcome run(const Plan& plan, const RunInputs& inputs);

} // namespace hogwild
