// What a layer does to each of its sums: none, max(x, 0), tanh(x), 1 / (1 + e^-x); and slopes by the outputs alone.
//
// tanh and the logistic function are of kernels/exponential.h, the same bits on every instruction set.
#pragma once

#include "kernels/exponential.h"
#include "kernels/network.h"

#include <cstdint>

namespace hogwild {

[[gnu::always_inline]] inline void activate(Activation activation, float* at, std::uint32_t count) {
    switch (activation) {
    case Activation::kNone: return;
    case Activation::kRelu:
        for (std::uint32_t k = 0; k < count; ++k) at[k] = at[k] < 0.0f ? 0.0f : at[k]; // NaN stays NaN
        return;
    case Activation::kTanh:
        for (std::uint32_t k = 0; k < count; ++k) at[k] = 1.0f - 2.0f / (1.0f + exponential(2.0f * at[k]));
        return;
    case Activation::kSigmoid:
        for (std::uint32_t k = 0; k < count; ++k) at[k] = 1.0f / (1.0f + exponential(-at[k]));
        return;
    }
}

/// slopes along outputs become slopes along what was activated.
[[gnu::always_inline]] inline void through_activation(Activation activation, const float* output, float* slopes,
                                                      std::uint32_t count) {
    switch (activation) {
    case Activation::kNone: return;
    case Activation::kRelu:
        for (std::uint32_t k = 0; k < count; ++k) slopes[k] = output[k] > 0.0f ? slopes[k] : 0.0f;
        return;
    case Activation::kTanh:
        for (std::uint32_t k = 0; k < count; ++k) slopes[k] *= 1.0f - output[k] * output[k];
        return;
    case Activation::kSigmoid:
        for (std::uint32_t k = 0; k < count; ++k) slopes[k] *= output[k] * (1.0f - output[k]);
        return;
    }
}

} // namespace hogwild
