// How long runs will take, roughly, before any has run: for --dry-run.
//
// From nanoseconds a nonzero as 16 cores and an H200 were seen to take (results/reference) for sparse rows, and two cores for
// ratings, edges and text, whose rows are wide: what an increment, a lock or a turn costs there is another. Right within a factor
// of two or three; a plan, no promise. Of hot coordinates that are written otherwise than the rest (engine/plan/hot_updates.h) two cores
// took 1.7 to 2.2 nanoseconds where each worker has a replica, 2.2 to 2.9 delayed, 3.1 to 3.9 thinned, 2.6 to 5.0 as all others,
// and 5.8 to 6.4 whichever under atomic (synthetic:rcv1/20); 16 cores took 1.1 with replicas. Weights of 16 or 8 bits count as
// floats: one core took 1.1 to 1.25 times as long, two up to 1.5 times, which is less than the estimate knows.
// Delays add delay x samples x epochs / workers that wait side by side: all of them, round-robin's too, whose turns come after the
// wait; at most one a core; under locked-read, which holds its locks meanwhile, one.
// Thread-safe: pure functions.
#pragma once

#include "engine/plan/plan.h"
#include "kernels/views/any_view.h"

namespace hogwild {

/// Seconds of one run, evaluation and its process's start included. `samples`: as they are loaded, without a plan's model.
double predicted_seconds(const Plan& plan, const AnyView& samples, unsigned cores);

/// Of one step, its worker's.
double predicted_sample_seconds(const Plan& plan, const AnyView& samples);

/// After which a run is taken for stuck: fifty times what was predicted, at least ten minutes.
double longest_seconds(double predicted);

} // namespace hogwild
