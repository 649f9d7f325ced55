// What a run's steps are on: floats, or doubles.
//
// Thread-safety: looks only.
#pragma once

#include "engine/memory/parameter_buffer.h"

#include <concepts>

namespace hogwild {

/// Calls f(Real{}) with the type of what steps are on.
template <class F>
decltype(auto) with_real_of(const ParameterBuffer& buffer, const F& f) {
    return buffer.doubles() != nullptr ? f(double{}) : f(float{});
}

/// The weights. Precondition: Real is that type.
template <class Real>
Real* weights_of(const ParameterBuffer& buffer) {
    if constexpr (std::same_as<Real, double>)
        return buffer.doubles();
    else
        return buffer.data();
}

} // namespace hogwild
