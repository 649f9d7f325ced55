// Coordinate descent. A step takes one coordinate j, reads its column of the samples, and brings it towards where F is
// least along it. The others stand still. For smooth losses of the margin (kernels/problem.h).
//
//   F(w) = (1/n) sum_i value(m_i, y_i) + (lambda / 2) |w|^2,    m = X w, which is kept
//
//   along   = (1/n) sum_i slope(m_i, y_i) x_ij + lambda w_j        over the column's nonzeros
//   bends   = (1/n) curvature sum_i x_ij^2 + lambda                at least as much as F does along j
//   change  = -step along / bends
//   w_j    += change;   m_i += change x_ij                         over the column's nonzeros
//
// With a step size of 1, the squared loss is left at its minimum along j, and a logistic one below where it was. A
// single worker descends with every step size below 2. Both sides are multiplied by n where they are computed. A step
// reads and writes each of its nonzeros once, as a step on a row does. It computes as many slopes as it has nonzeros,
// where a step on a row computes one.
//
// How margins are written:
//   RacyMargins    a relaxed load and a relaxed store, by vectors where there are such. When two workers meet, one's
//                  change is lost, and with it m = X w, for all steps that follow. `refresh_margins` brings it back.
//   AtomicMargins  nothing is lost: m = X w but for rounding, once all are done.
// The weight, of which there is one a step, is added to atomically under both.
//
// Real is what weights and margins are; samples are floats. Sums have the sixteen lanes of kernels/lanes/scalar.h,
// their terms in order and without FMA. So the bits are the same on every instruction set; those of doubles are, but
// for the library's exponential. Thread-safety: workers may step, and refresh margins, on one model at the same time.
// Sources: Hsieh, Yu, Dhillon, "PASSCoDe: Parallel ASynchronous Stochastic dual Co-ordinate Descent", ICML 2015 (racy
// and atomic margins, of the dual). Liu, Wright, Re, Bittorf, Sridhar, "An asynchronous parallel stochastic coordinate
// descent algorithm", ICML 2014 (AsySCD). Zhang and Re, "DimmWitted", VLDB 2014 (access by columns).
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/corrected.h"
#include "kernels/problem.h"
#include "kernels/steps/steps.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/sparse_view.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hogwild {

/// Borrowed memory: a model and the margins of its samples.
template <class Real>
struct ColumnModel {
    Real* weights;
    Real* margins;       // of each sample
    const float* labels; // of each sample
    double l2;
    std::uint64_t samples;
};

struct RacyMargins {
    static constexpr std::string_view name = "racy";

    template <class Lanes, class Real>
    static void add(Real* margins, const SparseRow& column, Real change) {
        Corrected<Lanes, Real>::add(margins, column, change);
    }
};

struct AtomicMargins {
    static constexpr std::string_view name = "atomic";

    template <class Lanes, class Real>
    static void add(Real* margins, const SparseRow& column, Real change) {
        for (std::uint32_t k = 0; k < column.size; ++k)
            relaxed_add(margins[column.index[k]], change * Real(column.value[k]));
    }
};

/// sum_i slope(m_i, y_i) x_i over a column. Sixteen at a time, so that compilers turn slopes into vectors.
template <class Problem, class Lanes, class Real>
Real slopes_along(const SparseRow& column, const ColumnModel<Real>& model) {
    Real sum[kLanes] = {};
    const auto add = [&](std::uint32_t k, std::uint32_t size) {
        Real slope[kLanes] = {};
        float label[kLanes] = {};
        Corrected<Lanes, Real>::take(model.margins, column.index + k, size, slope);
        Corrected<Lanes, float>::take(model.labels, column.index + k, size, label);
        for (std::uint32_t l = 0; l < kLanes; ++l) slope[l] = Problem::slope(slope[l], Real(label[l]));
        for (std::uint32_t l = 0; l < size; ++l) sum[l] += slope[l] * Real(column.value[k + l]);
    };
    std::uint32_t k = 0;
    for (; k + kLanes <= column.size; k += kLanes) add(k, kLanes);
    if (k < column.size) add(k, column.size - k);
    for (std::uint32_t width = kLanes / 2; width > 0; width /= 2) {
        for (std::uint32_t l = 0; l < width; ++l) sum[l] += sum[l + width];
    }
    return sum[0];
}

/// Runs ahead of steps on columns: for where a column lies and its weight, then for its first lines. For long ones the processor's
/// own prefetcher has the rest, which the cache would not hold.
class ColumnPrefetch {
public:
    static constexpr std::uint32_t kOffsetsAhead = 16, kColumnsAhead = 4, kMost = 64; // of a column, nonzeros

    ColumnPrefetch(const SparseView& columns, const void* weights, std::size_t weight_bytes, const Chunk& chunk)
        : columns_(columns), weights_(static_cast<const std::byte*>(weights)), bytes_(weight_bytes), chunk_(chunk) {}

    void prime() const {
        for (std::uint32_t i = 0; i < kOffsetsAhead; ++i) offset(i);
        for (std::uint32_t i = 0; i < kColumnsAhead; ++i) column(i);
    }

    /// At the loop's i-th column.
    void at(std::uint32_t i) const {
        offset(i + kOffsetsAhead);
        column(i + kColumnsAhead);
    }

private:
    void offset(std::uint32_t i) const {
        if (i >= chunk_.count) return;
        const std::size_t j = chunk_.samples[i];
        prefetch_to_read(columns_.offsets + j);
        prefetch_to_read(columns_.labels + j);
        prefetch_to_read(weights_ + j * bytes_);
    }

    void column(std::uint32_t i) const {
        if (i >= chunk_.count) return;
        constexpr std::uint64_t kPerLine = 64 / sizeof(float);
        const std::uint64_t begin = columns_.offsets[chunk_.samples[i]];
        const std::uint64_t end = std::min(columns_.offsets[chunk_.samples[i] + std::uint64_t{1}], begin + kMost);
        for (std::uint64_t k = begin; k < end; k += kPerLine) {
            prefetch_to_read(columns_.indices + k);
            prefetch_to_read(columns_.values + k);
        }
    }

    const SparseView& columns_;
    const std::byte* weights_;
    std::size_t bytes_;
    const Chunk& chunk_;
};

/// A chunk's steps; of `chunk` they take the coordinates, its samples, and the step size. `columns`: the samples turned about
/// (engine/data/sparse/transpose.h), rows of which are coordinates, and their labels the squared norms.
template <class Problem, class Margins, class Lanes, class Real>
void column_steps(const SparseView& columns, const Chunk& chunk, const ColumnModel<Real>& model) {
    static_assert(Problem::curvature > 0, "along a coordinate a kink may stop a step far from the minimum");
    const ColumnPrefetch prefetch(columns, model.weights, sizeof(Real), chunk);
    prefetch.prime();
    const Real step = static_cast<Real>(chunk.step), curvature = static_cast<Real>(Problem::curvature);
    const Real l2 = static_cast<Real>(model.l2 * static_cast<double>(model.samples));
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        prefetch.at(i);
        const std::uint32_t j = chunk.samples[i];
        const SparseRow column = columns.row(j);
        const Real bends = curvature * Real(column.label) + l2;
        if (column.size == 0 || bends == 0) continue; // no sample says anything of its weight, which is 0
        Real& weight = model.weights[j];
        const Real along = slopes_along<Problem, Lanes>(column, model) + l2 * relaxed_load(weight);
        const Real change = -step * along / bends;
        if (change == 0) continue;
        relaxed_add(weight, change);
        Margins::template add<Lanes>(model.margins, column, change);
    }
}

/// m_i = x_i . w of the samples [begin, end). An increment that comes between a worker's two writes, to its weight and
/// to a margin, may be counted twice. One that comes between this function's reading and its writing is lost. Both are
/// as small as the steps are by then.
template <class Lanes, class Real>
void refresh_margins(const SparseView& samples, std::uint64_t begin, std::uint64_t end,
                     const ColumnModel<Real>& model) {
    for (std::uint64_t i = begin; i < end; ++i)
        relaxed_store(model.margins[i], Corrected<Lanes, Real>::dot(model.weights, samples.row(i)));
}

} // namespace hogwild
