// One sparse row in the hands of a warp: lane l holds nonzeros l, l + 32, ...; the first kHeld of them in registers.
//
// Loading a row and stepping on it are apart, so that a warp can fetch its next row while it still steps on this one. The time from
// a step's read to its write is its staleness; it does not hold the wait for device memory.
#pragma once

#include "kernels/cuda/rows/fetch_ahead.cuh"
#include "kernels/cuda/warp.cuh"
#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild::device {

template <unsigned kHeld>
class WarpRow {
public:
    WarpRow() = default;

    /// Asks for the row that begins at `begin`; nothing waits yet.
    __device__ WarpRow(const SparseView& data, std::uint64_t begin, std::uint32_t size)
        : index_(data.indices + begin), value_(data.values + begin), size_(size) {
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            const unsigned k = lane() + kWarp * h;
            if (k < size_) {
                held_index_[h] = __ldcs(index_ + k); // read once an epoch: must not push weights out of the cache
                held_value_[h] = __ldcs(value_ + k);
            }
        }
    }

    /// By one lane.
    __device__ static void fetch_ahead(const SparseView& data, std::uint64_t begin, std::uint32_t size) {
        device::fetch_ahead(begin, size, data.indices, data.values);
    }

    /// weights . row, in all lanes.
    template <class Weights>
    __device__ float dot(const Weights& weights) const {
        float weight[kHeld]; // all on their way before the first is used
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            if (lane() + kWarp * h < size_) weight[h] = weights.load(held_index_[h]);
        }
        float sum = 0;
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            if (lane() + kWarp * h < size_) sum += held_value_[h] * weight[h];
        }
        for (unsigned k = lane() + kWarp * kHeld; k < size_; k += kWarp) sum += value_[k] * weights.load(index_[k]);
        return warp_sum(sum);
    }

    /// weights[j] += factor * value for the row's nonzeros.
    template <class Weights>
    __device__ void add_to(const Weights& weights, float factor) const {
        const auto add = [&](const auto& one) {
#pragma unroll
            for (unsigned h = 0; h < kHeld; ++h) {
                if (lane() + kWarp * h < size_) one(held_index_[h], factor * held_value_[h]);
            }
            for (unsigned k = lane() + kWarp * kHeld; k < size_; k += kWarp) one(index_[k], factor * value_[k]);
        };
        add([&](std::uint32_t j, float by) { weights.add(j, by); });
        if constexpr (Weights::kCopies) add([&](std::uint32_t j, float by) { weights.add_to_copy(j, by); });
    }

    /// counts[j] += 1 for the row's nonzeros.
    template <class Weights>
    __device__ void count_in(const Weights& counts) const {
        for (unsigned k = lane(); k < size_; k += kWarp) counts.add(index_[k], 1.0f);
    }

    __device__ std::uint32_t size() const { return size_; }

private:
    const std::uint32_t* index_ = nullptr;
    const float* value_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t held_index_[kHeld];
    float held_value_[kHeld];
};

} // namespace hogwild::device
