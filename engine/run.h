// Runs one plan and evaluates what it observed.
#pragma once

#include "engine/data/dataset.h"
#include "engine/plan.h"
#include "engine/record/outcome.h"

#include <atomic>
#include <string>

namespace hogwild {

/// What a run borrows from its caller; all of it outlives the run.
struct RunInputs {
    const Dataset& train;
    const Dataset* test = nullptr;                  // same columns as train
    const Dataset* shuffled = nullptr;              // shuffled(train), where wants_shuffled; made anew when absent
    double optimum = kNone;                         // a certified lower bound on F*, for optimality_bound; kNone: none
    const std::atomic<bool>* interrupt = nullptr;   // becomes true on SIGINT; the run stops at the next chunk
    std::atomic<std::uint64_t>* progress = nullptr; // samples consumed so far, for a progress line
};

/// The plan goes through the samples in blocks (engine/order.h): a caller with several such plans shuffles once.
bool wants_shuffled(const Plan& plan, const Dataset& train);

/// A plan that cannot run on these samples, or means nothing, has a reason; an empty string means it can run.
std::string why_not(const Plan& plan, const Dataset& train);

/// Trains as `plan` says (see engine/schemes/), snapshots on the clock, then evaluates every snapshot off the clock.
/// Returns status "diverged" when any snapshot's training loss is not finite, or the final one is above 2 F(w0).
/// Errors: throws Error for a plan that cannot run (why_not). One run at a time per process; not reentrant.
Outcome run(const Plan& plan, const RunInputs& inputs);

} // namespace hogwild
