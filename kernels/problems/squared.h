// Squared loss, least squares: value = (m - y)^2 / 2, slope = m - y. Labels real.
#pragma once

#include "kernels/annotate.h"
#include "kernels/problem.h"

#include <string_view>

namespace hogwild {

struct Squared {
    using Pattern = SparseRows;
    static constexpr std::string_view name = "squared";
    static constexpr double curvature = 1.0;
    static constexpr bool real_labels = true;

    template <class Real>
    HOGWILD_HOST_DEVICE static Real value(Real margin, Real label) {
        const Real residual = margin - label;
        return Real(0.5) * residual * residual;
    }

    template <class Real>
    HOGWILD_HOST_DEVICE static Real slope(Real margin, Real label) {
        return margin - label;
    }
};

} // namespace hogwild
