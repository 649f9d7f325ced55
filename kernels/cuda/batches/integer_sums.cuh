// The sums of a synchronous step, one for each coordinate: what warps add to them, and what comes of them.
#pragma once

#include "kernels/cuda/batches/sum_unit.h"

#include <cstdint>

namespace hogwild::device {

/// Sums whose order does not matter. By any number of warps at the same time.
class IntegerSums {
public:
    static constexpr bool kCopies = false;

    __device__ IntegerSums(long long* sums, const SumUnit& unit)
        : sums_(sums), per_unit_(unit.per_unit), most_(unit.most_units) {}

    __device__ void add(std::uint32_t j, float by) const {
        const long long units = __double2ll_rn(fmin(fmax(static_cast<double>(by) * per_unit_, -most_), most_));
        atomicAdd(reinterpret_cast<unsigned long long*>(sums_ + j), static_cast<unsigned long long>(units));
    }

    /// Where a step has read the coordinate.
    __device__ void add_to(std::uint32_t j, float, float by) const { add(j, by); }

private:
    long long* sums_;
    double per_unit_;
    double most_;
};

__device__ inline float applied(float weight, float factor, long long sum, const SumUnit& unit) {
    return weight + factor * static_cast<float>(static_cast<double>(sum) * unit.unit);
}

/// v += factor x sums, and sums are zero again; each coordinate by one lane. Loads go past the multiprocessor's own cache, which
/// may hold what lay there before the launch before.
class SumsToApply {
public:
    __device__ SumsToApply(float* weights, long long* sums, float factor, const SumUnit& unit)
        : weights_(weights), sums_(sums), factor_(factor), unit_(unit) {}

    /// What the weight becomes; its sum is zero again.
    __device__ float taken(std::uint32_t j) const {
        const float weight = __ldcg(weights_ + j);
        const long long sum = __ldcg(sums_ + j);
        if (sum == 0) return weight;
        sums_[j] = 0;
        return applied(weight, factor_, sum, unit_);
    }

    __device__ void put(std::uint32_t j, float weight) const { weights_[j] = weight; }

    __device__ void apply(std::uint32_t j) const { put(j, taken(j)); }

private:
    float* weights_;
    long long* sums_;
    float factor_;
    SumUnit unit_;
};

} // namespace hogwild::device
