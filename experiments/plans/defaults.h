// What a run does where the command line says nothing. Step size, its schedule, batch, exchange and epochs belong to
// (problem, scheme) and the optimiser, L2 to the problem. They are printed before the runs.
//
// A step that suits samples of unit norm (text with tf-idf weights) suits others once divided by their mean squared
// norm. A sample moves its own margin by step x slope x |x|^2. Samples that agree in their direction, as dense ones
// do, move each other's margins too. Then the step is limited by their shared energy (engine/data/sparse/norms.h). A
// minibatch's is limited for stability, others' to keep the noise of single samples down.
#pragma once

#include "engine/data/sparse/norms.h"

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// Sets step kind, size and decay, batch, exchange and epochs of plan from its problem and scheme. The step size is
/// rounded to two digits. For svrg and saga it is constant, 1 / (3 L) with L = the loss's curvature x the largest
/// squared norm of a sample. For columns it is constant too: 1, the whole of each coordinate's own step.
void set_defaults(Plan& plan, const SampleScale& scale);

/// What of a launch's shape was asked for.
struct GivenShape {
    bool streams, blocks;
};

/// For hogwild on a GPU where steps take batches: one stream of four teams, or four streams with graphs, unless asked
/// for otherwise. Graphs read a copy of the weights.
void set_gpu_defaults(Plan& plan, const GivenShape& given);

/// What suits the plan's optimiser (kernels/network/optimizer.h): beta2, and a step size for that of plain SGD. The optimiser's name is known.
void suit_optimizer(Plan& plan);

/// The exchange of replicas, of a whole model or of its hot coordinates, which depends on the number of threads. It is
/// that of other increments of hot coordinates too that are not direct.
void suit_exchange(Plan& plan);

/// Lowers a default step that L2 makes too large, to a shrinkage (engine/plan/derived/shrinkage.h) of 0.1, and rounds it to two
/// digits. Beyond, weights forget within a few samples; a usage error names an L2 that leaves no step. Steps on batches that touch every weight are lowered to 0.02 an
/// image of the batch. Those of lock-free workers are lowered to 0.4 over their number, a team on a GPU counted twice.
void limit_step(Plan& plan);

} // namespace hogwild
