// Logistic loss: value = log(1 + e^(-y m)), slope = -y / (1 + e^(y m)). Labels -1, +1.
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/exponential.h"
#include "kernels/problem.h"

#include <cmath>
#include <string_view>

namespace hogwild {

struct Logistic {
    using Pattern = SparseRows;
    static constexpr std::string_view name = "logistic";
    static constexpr double curvature = 0.25;
    static constexpr bool real_labels = false;

    template <class Real>
    HOGWILD_HOST_DEVICE static Real value(Real margin, Real label) {
        const Real z = label * margin;
        // The exponent is never positive, so nothing overflows for large margins of either sign.
        return z >= Real(0) ? std::log1p(exponential(-z)) : std::log1p(exponential(z)) - z;
    }

    template <class Real>
    HOGWILD_HOST_DEVICE static Real slope(Real margin, Real label) {
        return -label / (Real(1) + exponential(label * margin));
    }
};

} // namespace hogwild
