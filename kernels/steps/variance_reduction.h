// Steps whose noise falls to nothing at the optimum. A step goes against a sample's gradient, less what that was
// remembered to be, plus the mean of all that is remembered. For smooth losses of the margin (kernels/problem.h).
//
//   F(w) = (1/n) sum_i value(w . x_i, y_i) + (lambda / 2) |w|^2 + lambda1 |w|_1
//
// Remembered are one slope a_i of each sample, which is its whole gradient a_i x_i, and their mean g = (1/n) sum_i a_i x_i. A step
// on sample i touches its own coordinates alone. Each of them stands for the D_j = n / |{i: x_ij stored}| samples of which one has
// it:
//
//   s   = slope(w . x_i, y_i)
//   w_j <- prox of (step D_j) around w_j - step ((s - a_i) x_ij + D_j g_j),      j in the support of x_i
//   prox of t around u: argmin over v of (v - u)^2 / 2 + t ((lambda / 2) v^2 + lambda1 |v|) = shrunk(u, t lambda1) / (1 + t lambda)
//
// where shrunk(u, t) is 0 for |u| <= t, else u moved by t towards 0: a zero is exactly 0. D_j g_j on the support has,
// over the samples, the mean g_j. So a fixed point of all steps is the optimum, whatever the step size. L2 is a part of
// the proximal step, as L1 is. As a part of the gradient, lambda D_j w_j, it would bound step sizes by 2 / (lambda
// D_j). For a coordinate that one sample has, that is 2 / (lambda n).
//
// What is remembered, and when:
//   AtAnchor   slopes at an anchor that all workers pass together (`remember`): SVRG. A step writes none.
//   AtVisit    a step replaces its sample's slope, and moves g by (s - a_i) x_ij / n: SAGA, of one worker.
//   AtVisitOfMany  SAGA of several workers: slopes are exchanged and g is added to atomically, so that g stays the
//                  slopes' mean whatever meets. A weight that is overwritten is stepped on again. What g lost it
//                  would lack for ever, and F's gradient with it.
//
// Real is what weights, slopes and g are; samples are floats. The same bits on every instruction set, by the shapes of
// kernels/lanes/corrected.h. Thread-safety: workers may step on one memory at the same time, of AtVisit one alone;
// `remember` while nobody steps.
// Sources: Johnson and Zhang, "Accelerating stochastic gradient descent using predictive variance reduction", NIPS 2013.
// Defazio, Bach, Lacoste-Julien, "SAGA", NIPS 2014. Mania et al., "Perturbed iterate analysis for asynchronous stochastic
// optimization", SIAM J. Optim. 2017 (sparse SVRG). Leblond, Pedregosa, Lacoste-Julien, "ASAGA", AISTATS 2017.
// Pedregosa, Leblond, Lacoste-Julien, "Breaking the nonsmooth barrier", NIPS 2017 (the proximal step on the support).
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/corrected.h"
#include "kernels/problem.h"
#include "kernels/steps/steps.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild {

/// Borrowed memory: a model and what is remembered of its samples.
template <class Real>
struct Remembered {
    Real* weights;
    Real* slopes;       // of each sample
    Real* mean;         // g
    const Real* spread; // D; 0 of a coordinate that no sample has
    double l2, l1;
    std::uint64_t rows;
};

struct AtAnchor {
    static constexpr bool kMoves = false;

    template <class Real>
    static Real exchange(Real& slope, Real) {
        return slope;
    }
};

struct AtVisit {
    static constexpr bool kMoves = true;

    template <class Real>
    static Real exchange(Real& slope, Real now) {
        const Real before = slope;
        slope = now;
        return before;
    }

    template <class Lanes, class Real>
    static void move(Real* mean, const SparseRow& row, Real by) {
        Corrected<Lanes, Real>::add(mean, row, by);
    }
};

struct AtVisitOfMany {
    static constexpr bool kMoves = true;

    template <class Real>
    static Real exchange(Real& slope, Real now) {
        return relaxed_exchange(slope, now);
    }

    template <class Lanes, class Real>
    static void move(Real* mean, const SparseRow& row, Real by) {
        for (std::uint32_t k = 0; k < row.size; ++k) relaxed_add(mean[row.index[k]], by * row.value[k]);
    }
};

/// A chunk's steps; of `chunk` they take the samples and the step size.
template <class Problem, class When, class Lanes, class Real>
void corrected_steps(const SparseView& data, const Chunk& chunk, const Remembered<Real>& memory) {
    using Rows = Corrected<Lanes, Real>;
    const RowPrefetch prefetch(data, chunk.samples, chunk.count + chunk.ahead);
    if (!chunk.primed) prefetch.prime();
    const Real share = static_cast<Real>(1.0 / static_cast<double>(memory.rows));
    ProximalStep<Real> step{static_cast<Real>(chunk.step), Real(0), static_cast<Real>(chunk.step * memory.l2),
                            static_cast<Real>(chunk.step * memory.l1)};
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        prefetch.at(i);
        if (i + RowPrefetch::kOffsetsAhead < chunk.count + chunk.ahead)
            prefetch_to_read(memory.slopes + chunk.samples[i + RowPrefetch::kOffsetsAhead]);
        const SparseRow row = data.row(chunk.samples[i]);
        const Real slope = Problem::slope(Rows::dot(memory.weights, row), Real(row.label));
        const Real change = slope - When::exchange(memory.slopes[chunk.samples[i]], slope);
        step.change = change;
        Rows::step(memory.weights, memory.mean, memory.spread, row, step);
        if constexpr (When::kMoves) When::template move<Lanes>(memory.mean, row, change * share);
    }
}

/// Slopes of the samples [begin, end) at the weights, and sums[j] += slope x_ij; the sums are the caller's own.
template <class Problem, class Lanes, class Real>
void remember(const SparseView& data, std::uint64_t begin, std::uint64_t end, const Remembered<Real>& memory,
              Real* sums) {
    using Rows = Corrected<Lanes, Real>;
    for (std::uint64_t i = begin; i < end; ++i) {
        const SparseRow row = data.row(i);
        const Real slope = Problem::slope(Rows::dot(memory.weights, row), Real(row.label));
        memory.slopes[i] = slope;
        Rows::add(sums, row, slope);
    }
}

} // namespace hogwild
