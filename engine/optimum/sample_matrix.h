// The samples as a matrix X (rows x columns) that solvers multiply with vectors of doubles, in parallel.
//
// Same bits at any thread count: the split into blocks depends on the data alone, and blocks are folded in order. A
// product of the transpose keeps one vector of columns per block of rows, at most 32. There are only as many as the
// nonzeros pay for (8 nonzeros per entry). So its memory stays below one byte a nonzero beyond the first vector.
//
// Thread-safety: one caller at a time (the blocks are scratch memory). Rows are at most 2^32 - 1.
#pragma once

#include "engine/memory/pages.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>
#include <span>

namespace hogwild {

/// x . w in double, in four interleaved sums: the order is fixed, the latency of an addition is hidden.
inline double dot(const SparseRow& row, const double* weights) {
    double sum[4] = {};
    std::uint32_t e = 0;
    for (; e + 4 <= row.size; e += 4) {
        for (std::uint32_t k = 0; k < 4; ++k) sum[k] += double{row.value[e + k]} * weights[row.index[e + k]];
    }
    for (; e < row.size; ++e) sum[0] += double{row.value[e]} * weights[row.index[e]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

class SampleMatrix {
public:
    explicit SampleMatrix(const SparseView& data);

    const SparseView& data() const { return data_; }

    /// Traversals of the nonzeros so far.
    std::uint64_t passes() const { return passes_; }

    /// margins = X weights.
    void multiply(std::span<const double> weights, std::span<double> margins);

    /// sums = X^T samples.
    void multiply_transposed(std::span<const double> samples, std::span<double> sums);

    /// sums_j = sum_i x_ij^2 samples_i: the diagonal of X^T diag(samples) X.
    void squares_transposed(std::span<const double> samples, std::span<double> sums);

private:
    template <class Term>
    void scatter(std::span<const double> samples, std::span<double> sums, const Term& term);

    SparseView data_;
    std::uint64_t block_rows_ = 1;
    PageArray<double> blocks_;
    std::uint64_t passes_ = 0;
};

} // namespace hogwild
