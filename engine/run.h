// Runs one plan and evaluates what it observed.
#pragma once

#include "engine/data/dataset.h"
#include "engine/record/outcome.h"
#include "engine/record/snapshot.h"
#include "engine/run/going_on.h"
#include "engine/run/samples_with_model.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace hogwild {

struct Plan; // engine/plan/plan.h

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

/// True if the plan goes through the samples in blocks or tiles (engine/order/order.h) in which they do not lie yet. A
/// caller with several such plans shuffles once. Ratings that lie in tiles are of no use to a plan that wants none.
bool wants_shuffled(const Plan& plan, const Dataset& train);

/// A plan that cannot run on these samples, or means nothing, has a reason; an empty string means it can run. Samples that shuffle
/// in place (engine/data/shuffle.h) are taken to be given away for that.
std::string why_not(const Plan& plan, const Dataset& train);

/// Trains as `plan` says (see engine/schemes/), with snapshots on the clock, then evaluates every snapshot off the
/// clock. Snapshots are evaluated on samples as `train` has them, and on ratings as the run steps on them. So no other
/// copy is needed, and sums do not depend on there being one. Returns status "diverged" when any snapshot's training
/// loss is not finite, or the final one is above 2 F(w0).
/// Errors: throws Error for a plan that cannot run (why_not). One run at a time per process; not reentrant.
Outcome run(const Plan& plan, const RunInputs& inputs);

} // namespace hogwild
