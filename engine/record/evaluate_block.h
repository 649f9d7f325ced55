// The loop of evaluation: a block of rows against `Width` interleaved snapshots (contract in evaluate.h).
//
// The body is written once, in plain C++, and compiled for each instruction set by a wrapper that inlines it. Vectors
// run across snapshots, never along a sum, and no product is contracted, so all of them give the same bits.
#pragma once

#include "kernels/views/sparse_view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hogwild {

template <int Width>
struct BlockSums {
    std::array<double, Width> loss{};
    std::array<std::uint32_t, Width> wrong{};
};

namespace evaluation {

/// Vectors that Width snapshots fill, of as many doubles as a register of the instruction set holds. Registers hold the sums
/// whatever follows the loop. A plain array of sums is spilled by gcc 12, at a third of the speed. Vectors wider than a
/// register are taken apart and spilled, at an eighth of it.
template <class Real, int Lanes>
using Vector [[gnu::vector_size(sizeof(Real) * Lanes), gnu::aligned(sizeof(Real)), gnu::may_alias]] = Real;

/// sums[k] = sum_e value_e * weights[Width * index_e + k], in index order.
template <int Width, int Register, class Weight>
inline void margins_of(const SparseRow& row, const Weight* weights, double* sums) {
    if constexpr (Width == 1) {
        double sum = 0;
        for (std::uint32_t e = 0; e < row.size; ++e) sum += row.value[e] * static_cast<double>(weights[row.index[e]]);
        *sums = sum;
    } else {
        constexpr int kLanes = Width < Register ? Width : Register;
        constexpr int kVectors = Width / kLanes;
        using Doubles = Vector<double, kLanes>;
        Doubles sum[kVectors] = {};
        for (std::uint32_t e = 0; e < row.size; ++e) {
            const Weight* coordinate = weights + std::size_t{row.index[e]} * Width;
            const double value = row.value[e];
            for (int v = 0; v < kVectors; ++v) {
                const auto& part = *reinterpret_cast<const Vector<Weight, kLanes>*>(coordinate + v * kLanes);
                sum[v] += value * __builtin_convertvector(part, Doubles);
            }
        }
        for (int v = 0; v < kVectors; ++v) std::memcpy(sums + v * kLanes, &sum[v], sizeof sum[v]);
    }
}

/// weights[Width * j + k] is coordinate j of snapshot k. A register holds `Register` doubles.
template <class Problem, int Width, int Register, class Weight>
inline void add_block(const SparseView& data, const Weight* weights, std::uint64_t begin, std::uint64_t end,
                      BlockSums<Width>& sums) {
    for (std::uint64_t i = begin; i < end; ++i) {
        const SparseRow row = data.row(i);
        double margins[Width];
        margins_of<Width, Register>(row, weights, margins);
        const double label = row.label;
        for (int k = 0; k < Width; ++k) {
            sums.loss[k] += Problem::value(margins[k], label);
            sums.wrong[k] += (margins[k] > 0) != (label > 0) ? 1 : 0;
        }
    }
}

template <class Problem, int Width, class Weight>
[[gnu::flatten]] void add_block_portable(const SparseView& data, const Weight* weights, std::uint64_t begin,
                                         std::uint64_t end, BlockSums<Width>& sums) {
    add_block<Problem, Width, 2>(data, weights, begin, end, sums);
}

#if defined(__x86_64__)
template <class Problem, int Width, class Weight>
[[gnu::flatten, gnu::target("avx2")]] void add_block_avx2(const SparseView& data, const Weight* weights,
                                                          std::uint64_t begin, std::uint64_t end,
                                                          BlockSums<Width>& sums) {
    add_block<Problem, Width, 4>(data, weights, begin, end, sums);
}

template <class Problem, int Width, class Weight>
[[gnu::flatten, gnu::target("avx512f")]] void add_block_avx512(const SparseView& data, const Weight* weights,
                                                               std::uint64_t begin, std::uint64_t end,
                                                               BlockSums<Width>& sums) {
    add_block<Problem, Width, 8>(data, weights, begin, end, sums);
}
#endif

} // namespace evaluation

/// The body for the widest instruction set this machine has.
template <class Problem, int Width, class Weight>
auto block_function() {
    using namespace evaluation;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return &add_block_avx512<Problem, Width, Weight>;
    if (__builtin_cpu_supports("avx2")) return &add_block_avx2<Problem, Width, Weight>;
#endif
    return &add_block_portable<Problem, Width, Weight>;
}

} // namespace hogwild
