// One row that holds every column, in the hands of a warp. A lane holds elements (kernels/cuda/rows/element.cuh) l, l + 32, ..., the
// first kHeld of them in registers. No index is read, and the lanes' elements are neighbours in memory.
//
// Beside kernels/cuda/rows/warp_row.cuh, which holds any sparse row; loading and stepping are apart for the same reason.
#pragma once

#include "kernels/cuda/rows/element.cuh"
#include "kernels/cuda/rows/fetch_ahead.cuh"
#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild::device {

template <class Element, unsigned kHeld>
class DenseRow {
public:
    DenseRow() = default;

    /// Asks for the row that begins at `begin`, of `size` columns or of none; nothing waits yet.
    __device__ DenseRow(const SparseView& data, std::uint64_t begin, std::uint32_t size)
        : value_(data.values + begin), size_(size) {
        read(held_, first());
    }

    /// By one lane.
    __device__ static void fetch_ahead(const SparseView& data, std::uint64_t begin, std::uint32_t size) {
        device::fetch_ahead(begin, size, data.values);
    }

    /// weights . row, in all lanes.
    template <class Weights>
    __device__ float dot(const Weights& weights) const {
        float sum = 0;
        for_all([&](const Values* values, std::uint32_t from) {
            Values weight[kHeld]; // all on their way before the first is used
            visit(from, [&](unsigned h, std::uint32_t j) { weight[h] = Element::load(weights, j); });
            visit(from, [&](unsigned h, std::uint32_t) { sum += Element::times(values[h], weight[h]); });
        });
        return warp_sum(sum);
    }

    /// weights[j] += factor * value for every column.
    template <class Weights>
    __device__ void add_to(const Weights& weights, float factor) const {
        for_all([&](const Values* values, std::uint32_t from) {
            visit(from,
                  [&](unsigned h, std::uint32_t j) { Element::add(weights, j, Element::multiple(factor, values[h])); });
        });
    }

    /// counts[j] += 1 for every column.
    template <class Weights>
    __device__ void count_in(const Weights& counts) const {
        for (std::uint32_t j = first(); j < size_; j += kStride) Element::add(counts, j, Element::ones());
    }

    __device__ std::uint32_t size() const { return size_; }

private:
    using Values = typename Element::Values;

    static constexpr std::uint32_t kStride = Element::kFloats * kWarp;

    __device__ static std::uint32_t first() { return Element::kFloats * lane(); }

    /// work(values, from): the lane's next kHeld elements and the column that the first of them begins at.
    template <class Work>
    __device__ void for_all(const Work& work) const {
        work(held_, first());
        for (std::uint32_t from = first() + kStride * kHeld; from < size_; from += kStride * kHeld) {
            Values values[kHeld];
            read(values, from);
            work(values, from);
        }
    }

    /// one(h, j): element number h of these begins at column j.
    template <class One>
    __device__ void visit(std::uint32_t from, const One& one) const {
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            const std::uint32_t j = from + kStride * h;
            if (j < size_) one(h, j);
        }
    }

    __device__ void read(Values (&values)[kHeld], std::uint32_t from) const {
        visit(from, [&](unsigned h, std::uint32_t j) { // once an epoch: must not push weights out of the cache
            values[h] = __ldcs(reinterpret_cast<const Values*>(value_ + j));
        });
    }

    const float* value_ = nullptr;
    std::uint32_t size_ = 0;
    Values held_[kHeld];
};

} // namespace hogwild::device
