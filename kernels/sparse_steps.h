// The loop of a stochastic gradient step over sparse rows: gather, slope, scatter. Every scheme and policy runs this one.
//
// The buffer holds v; the weights are w = scale v. Lazy L2: a step w <- (1 - step lambda) w - step slope x becomes
//     scale <- scale (1 - step lambda),    v <- v - (step / scale) slope x,
// which costs the row's nonzeros. A slope of zero writes nothing. Source: Bottou's svmsgd; Shalev-Shwartz et al. 2011.
//
// Thread-safety: any number of workers may run it on one buffer, each with its own context.
#pragma once

#include "kernels/prefetch.h"
#include "kernels/problem.h"
#include "kernels/views.h"
#include "kernels/worker_context.h"

#include <cstdint>

namespace hogwild {

/// Consecutive steps of one worker with one step size.
struct Chunk {
    const std::uint32_t* rows; // which samples, `count` of them, then `ahead` that this worker will visit next
    std::uint32_t count;
    std::uint32_t ahead;
    bool primed;    // the first rows have been asked for already, as rows ahead
    float* weights; // v
    double scale;   // before the first step
    double decay;   // factor on the scale per step: 1 - step lambda
    double skip;    // factor on the scale between two steps: decay^(M - 1) where M workers interleave, else 1
    double step;
};

template <LinearProblem Problem, class Lanes, class Update, class Guard, class Probe>
void sparse_steps(const SparseView& data, const Chunk& chunk, WorkerContext& context) {
    const Update update(context);
    Guard guard(context);
    Probe probe(context);
    double scale = chunk.scale;
    double inverse = 1.0 / scale;
    const double inverse_decay = 1.0 / chunk.decay;
    const double inverse_skip = 1.0 / chunk.skip;
    const RowPrefetch prefetch(data, chunk.rows, chunk.count + chunk.ahead);
    if (!chunk.primed) prefetch.prime();
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        prefetch.at(i);
        const SparseRow row = data.row(chunk.rows[i]);
        guard.before_read(row);
        probe.read(); // now, not before a wait for locks: the weights are read after it
        const float margin = static_cast<float>(scale) * Lanes::dot(chunk.weights, row);
        const float slope = Problem::slope(margin, row.label);
        probe.computed();
        scale *= chunk.decay;
        inverse *= inverse_decay;
        if (slope != 0.0f) {
            guard.before_write(row);
            update.template add_row<Lanes>(chunk.weights, row, static_cast<float>(-chunk.step * inverse) * slope);
            probe.wrote(row, update);
            guard.after_write(row);
        } else {
            guard.nothing_to_write(row);
        }
        scale *= chunk.skip;
        inverse *= inverse_skip;
    }
}

} // namespace hogwild
