// An optimiser's rule for one step of a team: the sum of a batch's gradients along a coordinate becomes what the step goes against.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/network/device_optimizer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace hogwild::device {

/// As with_optimizer, on the device; f returns nothing.
template <std::size_t I = 0, class F>
__device__ inline void with_rule(std::size_t kind, const F& f) {
    if (kind == I) return f(std::in_place_type<std::variant_alternative_t<I, Optimizers>>);
    if constexpr (I + 1 < std::variant_size_v<Optimizers>) with_rule<I + 1>(kind, f);
}

class StepRule {
public:
    /// Step number `number` on state number `state`, of so many samples.
    __device__ StepRule(const DeviceOptimizer& optimizer, std::uint32_t state, std::uint64_t number,
                        std::uint32_t samples)
        : kind_(optimizer.kind),
          mean_(1 / static_cast<float>(samples)),
          first_(optimizer.numbers + state * optimizer.state),
          second_(first_ + optimizer.apart) {
        with_rule(kind_, [&]<class Rule>(std::in_place_type_t<Rule>) {
            const Rule rule(optimizer.settings, number);
            static_assert(sizeof(rule) <= sizeof(rule_));
            std::memcpy(rule_, &rule, sizeof(rule));
        });
    }

    /// Along coordinate `at`, whose numbers go on.
    __device__ float operator()(std::uint32_t at, float sum) const {
        float direction = 0;
        with_rule(kind_, [&]<class Rule>(std::in_place_type_t<Rule>) {
            const Rule& rule = *reinterpret_cast<const Rule*>(rule_);
            float first = 0, second = 0;
            if constexpr (Rule::kNumbers > 0) first = relaxed_load<Scope::kDevice>(first_[at]);
            if constexpr (Rule::kNumbers > 1) second = relaxed_load<Scope::kDevice>(second_[at]);
            direction = rule(mean_ * sum, first, second);
            if constexpr (Rule::kNumbers > 0) relaxed_store<Scope::kDevice>(first_[at], first);
            if constexpr (Rule::kNumbers > 1) relaxed_store<Scope::kDevice>(second_[at], second);
        });
        return direction;
    }

private:
    std::size_t kind_;
    float mean_;
    float *first_, *second_;
    alignas(8) unsigned char rule_[sizeof(Adam)];
};

/// One block's shared copy of its step rule.
class RuleMemory {
public:
    /// By one thread, before the others use it.
    __device__ void make(const DeviceOptimizer& optimizer, std::uint32_t state, std::uint64_t number,
                         std::uint32_t samples) {
        const StepRule rule(optimizer, state, number, samples);
        std::memcpy(at_, &rule, sizeof(rule));
    }

    /// Null: plain SGD.
    __device__ const StepRule* of(const DeviceOptimizer& optimizer) const {
        return is_plain_sgd(optimizer.kind) ? nullptr : reinterpret_cast<const StepRule*>(at_);
    }

private:
    alignas(StepRule) unsigned char at_[sizeof(StepRule)];
};

} // namespace hogwild::device
