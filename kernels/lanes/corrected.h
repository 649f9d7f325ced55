// The row loops of corrected steps (kernels/steps/variance_reduction.h) and of steps on columns
// (kernels/steps/column_steps.h). They take floats or doubles, one coordinate at a time: the reference for vector
// forms.
//
//   take   out[k] = from[index[k]], of sixteen indices or fewer
//   dot    of floats and of doubles: the sixteen lanes of kernels/lanes/scalar.h, a value as the sum's type
//   add    sums[index[k]] += scale value[k]
//   step   u = w - step (change value + D mean); w <- shrunk(u, l1 D) / (1 + l2 D), all of coordinate index[k]
//
// Multiplications and additions are separate and in the order written, so every instruction set gives the same bits. Where lambda
// is 0 nothing is divided, where lambda1 is 0 nothing shrunk.
// Thread-safety: weights and mean may be read and written by others meanwhile; each access is a relaxed atomic.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/scalar.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild {

template <class Real>
struct ProximalStep {
    Real step;
    Real change; // of the sample's slope
    Real l2, l1; // each times step
};

/// NaN stays NaN.
template <class Real>
Real shrunk(Real u, Real by) {
    return u > by ? u - by : u >= -by ? Real(0) : u + by;
}

template <class Real>
struct CorrectedScalar {
    static Real dot(const Real* weights, const SparseRow& row) {
        Real lane[kLanes] = {};
        for (std::uint32_t k = 0; k < row.size; ++k)
            lane[k % kLanes] += Real(row.value[k]) * relaxed_load(weights[row.index[k]]);
        return folded(lane);
    }

    static void take(const Real* from, const std::uint32_t* index, std::uint32_t size, Real* out) {
        for (std::uint32_t k = 0; k < size; ++k) out[k] = relaxed_load(from[index[k]]);
    }

    static void add(Real* sums, const SparseRow& row, Real scale) {
        for (std::uint32_t k = 0; k < row.size; ++k) {
            Real& sum = sums[row.index[k]];
            relaxed_store(sum, relaxed_load(sum) + scale * Real(row.value[k]));
        }
    }

    static void step(Real* weights, const Real* mean, const Real* spread, const SparseRow& row,
                     const ProximalStep<Real>& by) {
        for (std::uint32_t k = 0; k < row.size; ++k) {
            const std::uint32_t j = row.index[k];
            const Real all = spread[j];
            Real next =
                relaxed_load(weights[j]) - by.step * (by.change * Real(row.value[k]) + all * relaxed_load(mean[j]));
            if (by.l1 > 0) next = shrunk(next, by.l1 * all);
            if (by.l2 > 0) next = next / (Real(1) + by.l2 * all);
            relaxed_store(weights[j], next);
        }
    }
};

/// For the lanes that a kernel runs on; sets without a form of their own take the scalar one, of floats with their own sums.
template <class Lanes, class Real>
struct Corrected : CorrectedScalar<Real> {};

template <class Lanes>
struct Corrected<Lanes, float> : CorrectedScalar<float> {
    static float dot(const float* weights, const SparseRow& row) { return Lanes::dot(weights, row); }
};

} // namespace hogwild
