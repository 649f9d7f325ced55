// What a layer does to each of its sums: none, max(x, 0), tanh(x), 1 / (1 + e^-x); and slopes by the outputs alone.
//
// tanh and the logistic function are of kernels/numbers/exponential.h, the same bits on every instruction set.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"
#include "kernels/numbers/exponential.h"

#include <cstdint>

namespace hogwild {

/// One sum, activated.
template <Activation kActivation>
HOGWILD_HOST_DEVICE inline float activated(float sum) {
    if constexpr (kActivation == Activation::kRelu) return sum < 0.0f ? 0.0f : sum; // NaN stays NaN
    if constexpr (kActivation == Activation::kTanh) return 1.0f - 2.0f / (1.0f + exponential(2.0f * sum));
    if constexpr (kActivation == Activation::kSigmoid) return 1.0f / (1.0f + exponential(-sum));
    return sum;
}

/// A slope along an output, as one along what was activated.
template <Activation kActivation>
HOGWILD_HOST_DEVICE inline float slope_through(float output, float slope) {
    if constexpr (kActivation == Activation::kRelu) return output > 0.0f ? slope : 0.0f;
    if constexpr (kActivation == Activation::kTanh) return slope * (1.0f - output * output);
    if constexpr (kActivation == Activation::kSigmoid) return slope * (output * (1.0f - output));
    return slope;
}

/// Calls f.operator()<kActivation>() for an activation.
template <class F>
[[gnu::always_inline]] HOGWILD_HOST_DEVICE inline auto with_activation(Activation activation, const F& f) {
    switch (activation) {
    case Activation::kRelu: return f.template operator()<Activation::kRelu>();
    case Activation::kTanh: return f.template operator()<Activation::kTanh>();
    case Activation::kSigmoid: return f.template operator()<Activation::kSigmoid>();
    case Activation::kNone: break;
    }
    return f.template operator()<Activation::kNone>();
}

[[gnu::always_inline]] inline void activate(Activation activation, float* at, std::uint32_t count) {
    with_activation(
        activation, [&]<Activation kActivation>() __attribute__((always_inline)) {
            for (std::uint32_t k = 0; k < count; ++k) at[k] = activated<kActivation>(at[k]);
        });
}

/// slopes along outputs become slopes along what was activated.
[[gnu::always_inline]] inline void through_activation(Activation activation, const float* output, float* slopes,
                                                      std::uint32_t count) {
    with_activation(
        activation, [&]<Activation kActivation>() __attribute__((always_inline)) {
            for (std::uint32_t k = 0; k < count; ++k) slopes[k] = slope_through<kActivation>(output[k], slopes[k]);
        });
}

} // namespace hogwild
