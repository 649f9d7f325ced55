// One row that holds every column, in the hands of a warp: lane l holds columns 4l to 4l + 3, then the same 128 further on; the
// first kHeld quads of each lane in registers. No index is read.
//
// Weights are read and written four at a time, but for the last of columns that are no multiple of four. Values are read four
// at a time where their address allows it: every row's does if columns are a multiple of four, every fourth row's otherwise.
// Beside kernels/cuda/warp_row.cuh, which holds any sparse row; loading and stepping are apart for the same reason.
#pragma once

#include "kernels/cuda/fetch_ahead.cuh"
#include "kernels/cuda/warp_row.cuh"
#include "kernels/views.h"

#include <cstdint>

namespace hogwild::device {

template <unsigned kHeld>
class DenseRow {
public:
    DenseRow() = default;

    /// Asks for the row that begins at `begin`, of `size` columns or of none; nothing waits yet.
    __device__ DenseRow(const SparseView& data, std::uint64_t begin, std::uint32_t size)
        : value_(data.values + begin), size_(size) {
        load(held_, first());
    }

    /// By one lane.
    __device__ static void fetch_ahead(const SparseView& data, std::uint64_t begin, std::uint32_t size) {
        device::fetch_ahead(begin, size, data.values);
    }

    /// weights . row, in all lanes.
    template <class Weights>
    __device__ float dot(const Weights& weights) const {
        float sum = 0;
        add_products(sum, held_, weights, first());
        for (std::uint32_t j = first() + kSpan; j < size_; j += kSpan) {
            Quads values;
            load(values, j);
            add_products(sum, values, weights, j);
        }
        return warp_sum(sum);
    }

    /// weights[j] += factor * value for every column.
    template <class Weights>
    __device__ void add_to(const Weights& weights, float factor) const {
        add_multiple(weights, first(), factor, held_);
        for (std::uint32_t j = first() + kSpan; j < size_; j += kSpan) {
            Quads values;
            load(values, j);
            add_multiple(weights, j, factor, values);
        }
    }

    /// counts[j] += 1 for every column.
    template <class Weights>
    __device__ void count_in(const Weights& counts) const {
        for (std::uint32_t j = first(); j < size_; j += kStride) add_at(counts, j, {1, 1, 1, 1});
    }

    __device__ std::uint32_t size() const { return size_; }

private:
    using Quads = float4[kHeld]; // a lane's, kStride columns apart

    static constexpr std::uint32_t kStride = 4 * kWarp;
    static constexpr std::uint32_t kSpan = kStride * kHeld;

    __device__ static std::uint32_t first() { return 4 * lane(); }

    /// The lane's values from column j on.
    __device__ void load(Quads& values, std::uint32_t j) const {
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) values[h] = values_at(j + kStride * h);
    }

    template <class Weights>
    __device__ void add_products(float& sum, const Quads& values, const Weights& weights, std::uint32_t j) const {
        Quads weight; // all on their way before the first is used
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) weight[h] = weights_at(weights, j + kStride * h);
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            sum += values[h].x * weight[h].x;
            sum += values[h].y * weight[h].y;
            sum += values[h].z * weight[h].z;
            sum += values[h].w * weight[h].w;
        }
    }

    template <class Weights>
    __device__ void add_multiple(const Weights& weights, std::uint32_t j, float factor, const Quads& values) const {
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            const float4 by = values[h];
            add_at(weights, j + kStride * h, {factor * by.x, factor * by.y, factor * by.z, factor * by.w});
        }
    }

    /// Zero beyond the row's end.
    __device__ float4 values_at(std::uint32_t j) const {
        const float* const at = value_ + j;
        if (j + 4 <= size_ && reinterpret_cast<std::uintptr_t>(at) % sizeof(float4) == 0) {
            return __ldcs(reinterpret_cast<const float4*>(at)); // read once an epoch: must not push weights out
        }
        return {j < size_ ? __ldcs(at) : 0.0f, j + 1 < size_ ? __ldcs(at + 1) : 0.0f,
                j + 2 < size_ ? __ldcs(at + 2) : 0.0f, j + 3 < size_ ? __ldcs(at + 3) : 0.0f};
    }

    template <class Weights>
    __device__ float4 weights_at(const Weights& weights, std::uint32_t j) const {
        if (j + 4 <= size_) return weights.load_four(j);
        return {j < size_ ? weights.load(j) : 0.0f, j + 1 < size_ ? weights.load(j + 1) : 0.0f,
                j + 2 < size_ ? weights.load(j + 2) : 0.0f, 0.0f};
    }

    template <class Weights>
    __device__ void add_at(const Weights& weights, std::uint32_t j, float4 by) const {
        if (j + 4 <= size_) {
            weights.add_four(j, by);
            return;
        }
        if (j < size_) weights.add(j, by.x);
        if (j + 1 < size_) weights.add(j + 1, by.y);
        if (j + 2 < size_) weights.add(j + 2, by.z);
    }

    const float* value_ = nullptr;
    std::uint32_t size_ = 0;
    Quads held_;
};

} // namespace hogwild::device
