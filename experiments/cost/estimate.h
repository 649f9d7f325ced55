// How long runs will take, roughly, before any has run: for --dry-run.
//
// Nanoseconds a nonzero are what 16 cores and an H200 were seen to take (results/reference) for sparse rows. For
// ratings, edges and text, whose rows are wide, they are of two cores. What an increment, a lock or a turn costs there
// is another. Right within a factor of two or three; a plan, no promise.
// Increments of hot coordinates may be written otherwise than the rest (engine/plan/hot_updates.h). On two cores a
// nonzero then took, in nanoseconds (synthetic:rcv1/20): 1.7 to 2.2 where each worker has a replica, 2.2 to 2.9
// delayed, 3.1 to 3.9 thinned. It took 2.6 to 5.0 where they are written as all others. Under atomic it took 5.8 to 6.4
// whichever way. 16 cores took 1.1 with replicas.
// Weights of 16 or 8 bits count as floats. One core took 1.1 to 1.25 times as long, two up to 1.5 times, which is less
// than the estimate knows.
// Delays add delay x samples x epochs / workers that wait side by side. These are all of them, at most one a core;
// round-robin's too, since its turns come after the wait. Under locked-read, which holds its locks meanwhile, it is
// one.
// Thread-safe: pure functions.
#pragma once

#include "kernels/views/any_view.h"

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// Seconds of one run, evaluation and its process's start included. `samples`: as they are loaded, without a plan's model.
double predicted_seconds(const Plan& plan, const AnyView& samples, unsigned cores);

/// Seconds of one step, its worker's.
double predicted_sample_seconds(const Plan& plan, const AnyView& samples);

/// After which a run is taken for stuck: fifty times what was predicted, at least ten minutes.
double longest_seconds(double predicted);

} // namespace hogwild
