// The two halves of a synchronous minibatch step over sparse rows.
//
//   slopes: slope_i = slope(scale v . x_i, y_i) for the batch's samples; reads the buffer, writes only the slopes.
//   apply:  v_j <- v_j + factor sum_i slope_i x_ij, the sum taken in the batch's order, for the coordinates [begin, end).
//
// A coordinate has one owner and its terms one order, so the result has the same bits for any number of workers, and the
// whole step costs the batch's nonzeros, never the dimension.
//
// Thread-safety: slopes of disjoint samples side by side; then, behind a barrier, apply for disjoint coordinates.
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/prefetch.h"
#include "kernels/problem.h"
#include "kernels/views.h"

#include <cstdint>

namespace hogwild {

struct BatchSlopes {
    const std::uint32_t* rows;
    std::uint32_t count;
    const float* weights; // v
    float scale;
    float* slopes; // count entries, written

    // Where each owner's part of a row begins: cuts[i * owners + o] is the position of the first index at or beyond
    // bounds[o + 1], for o < owners - 1. Written only for rows with a slope.
    std::uint32_t owners;
    const std::uint32_t* bounds; // owners + 1 coordinates, rising
    std::uint32_t* cuts;
};

template <LinearProblem Problem, class Lanes>
void batch_slopes(const SparseView& data, const BatchSlopes& batch) {
    const RowPrefetch prefetch(data, batch.rows, batch.count);
    prefetch.prime();
    for (std::uint32_t i = 0; i < batch.count; ++i) {
        prefetch.at(i);
        const SparseRow row = data.row(batch.rows[i]);
        const float slope = Problem::slope(batch.scale * Lanes::dot(batch.weights, row), row.label);
        batch.slopes[i] = slope;
        if (slope == 0.0f) continue;
        std::uint32_t k = 0;
        for (std::uint32_t o = 0; o + 1 < batch.owners; ++o) {
            while (k < row.size && row.index[k] < batch.bounds[o + 1]) ++k;
            batch.cuts[std::size_t{i} * batch.owners + o] = k;
        }
    }
}

struct BatchApply {
    const std::uint32_t* rows;
    std::uint32_t count;
    float* weights;
    float factor;
    const float* slopes;
    std::uint32_t owners;
    std::uint32_t owner;
    const std::uint32_t* cuts;
};

template <class Lanes>
void batch_apply(const SparseView& data, const BatchApply& batch) {
    for (std::uint32_t i = 0; i < batch.count; ++i) {
        if (batch.slopes[i] == 0.0f) continue;
        const SparseRow row = data.row(batch.rows[i]);
        const std::uint32_t* cuts = batch.cuts + std::size_t{i} * batch.owners;
        const std::uint32_t begin = batch.owner == 0 ? 0 : cuts[batch.owner - 1];
        const std::uint32_t end = batch.owner + 1 == batch.owners ? row.size : cuts[batch.owner];
        const SparseRow part{row.index + begin, row.value + begin, end - begin, row.label};
        Lanes::add(batch.weights, part, batch.factor * batch.slopes[i]);
    }
}

/// Mean loss of a few samples in the order given, in double: the plateau test of the backoff protocol. The library's log and
/// exp may differ in a last bit between systems, and with it, where a plateau is decided by a hair, the run.
template <LinearProblem Problem>
double mean_loss(const SparseView& data, const std::uint32_t* rows, std::uint32_t count, const float* weights,
                 float scale) {
    double sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const SparseRow row = data.row(rows[i]);
        sum += Problem::value(double{scale * ScalarLanes::dot(weights, row)}, double{row.label});
    }
    return count == 0 ? 0 : sum / count;
}

} // namespace hogwild
