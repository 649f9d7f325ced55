// What the warps of a synchronous step read from and add to (kernels/cuda/batches.h).
#pragma once

#include "kernels/cuda/atomic.cuh"
#include "kernels/cuda/batches.h"

namespace hogwild::device {

/// Weights that the launch before wrote: the multiprocessor's own cache may hold what they were.
class SharedWeights {
public:
    __device__ explicit SharedWeights(const float* weights) : weights_(weights) {}

    __device__ float load(std::uint32_t j) const { return relaxed_load<Scope::kDevice>(weights_[j]); }

private:
    const float* weights_;
};

/// Sums whose order does not matter.
class IntegerSums {
public:
    static constexpr bool kCopies = false;

    __device__ IntegerSums(long long* sums, const SumUnit& unit)
        : sums_(sums), per_unit_(unit.per_unit), most_(unit.most_units) {}

    __device__ void add(std::uint32_t j, float by) const {
        const long long units = __double2ll_rn(fmin(fmax(static_cast<double>(by) * per_unit_, -most_), most_));
        atomicAdd(reinterpret_cast<unsigned long long*>(sums_ + j), static_cast<unsigned long long>(units));
    }

private:
    long long* sums_;
    double per_unit_;
    double most_;
};

} // namespace hogwild::device
