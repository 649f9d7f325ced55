// The two halves of a synchronous minibatch step.
//
//   emit:   each sample's gradient, from weights that nobody writes. Its form is what its access pattern likes, so many
//           floats a sample as the pattern's `emission` says. Samples of a pattern with a `together` T depend on their
//           neighbours. A worker has whole runs of T samples, counted from the batch's first one. The last run has what
//           remains: T to 2 T - 1, or the whole of a smaller batch.
//   apply:  w <- w + factor x the sum of the batch's gradients, for the coordinates of one owner, a range of groups
//           (kernels/views/any_view.h). The sum is taken in the batch's order.
//
// A coordinate has one owner and its terms one order, so the result has the same bits for any number of workers. The
// whole step costs what the batch touches, never the dimension.
//
// Thread-safety: emit for disjoint samples side by side; then, behind a barrier, apply for disjoint owners. Weights are read and
// written one by one, relaxed, so that an emit that comes late reads beside an apply. What it emitted then is for nothing.
#pragma once

#include <cstdint>

namespace hogwild {

struct OptimizerState; // kernels/network/optimizer.h

struct BatchEmit {
    const std::uint32_t* samples;
    std::uint32_t count;
    const float* weights; // v, of weights scale x v
    float scale;
    float* emitted; // `emission` floats for each sample, written

    // For patterns that cut their samples: where each owner's part of a sample begins. cuts[i * owners + o] is the position of
    // the first group at or beyond bounds[o + 1], for o < owners - 1.
    std::uint32_t owners;
    const std::uint32_t* bounds; // owners + 1 groups, rising
    std::uint32_t* cuts;

    // For patterns whose samples draw numbers.
    std::uint32_t epoch = 0; // of all the samples
    std::uint64_t seed = 0;  // of the run

    float* scratch = nullptr; // this worker's, as much as the pattern's `scratch` says
};

struct BatchApply {
    const std::uint32_t* samples;
    std::uint32_t count;
    float* weights;
    float factor;
    const float* emitted;
    std::uint32_t owners;
    std::uint32_t owner;
    const std::uint32_t* bounds;
    const std::uint32_t* cuts;
    float* scratch = nullptr; // this worker's, as much as the pattern's `scratch` says

    // For patterns whose steps may go by an optimiser (kernels/network/optimizer.h): `factor` then multiplies a direction.
    const OptimizerState* optimizer = nullptr; // null: plain SGD
    std::uint64_t number = 0;                  // of the batch on this state, from 1 on
};

} // namespace hogwild
