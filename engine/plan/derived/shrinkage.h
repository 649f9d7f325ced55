// What a plan's L2 does at a step.
//
// Thread-safety: pure functions. Precondition: the plan's names are known.
#pragma once

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// lambda of lazy L2 (kernels/patterns/sparse_rows.h): the plan's. It is 0 where samples shrink what they touch (by the
/// problem, or by a scheme's proximal steps), and where columns do. Each of M replicated models steps at one sample of
/// M, and has the M-th part.
double lazy_l2(const Plan& plan);

/// By which share one sample shrinks what it touches: step x lambda; of a batch whose samples shrink what they touch, step x lambda
/// / batch.
double shrinkage(const Plan& plan);

/// By how many powers of two the scale of lazy L2 falls within kCell steps of this size.
double shrinkage_bits(double step, double l2);

} // namespace hogwild
