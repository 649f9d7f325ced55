// Hinge loss, the linear support vector machine: value = max(0, 1 - y m), slope = -y where y m < 1, else 0. Labels -1, +1.
// Source: Cortes and Vapnik 1995; Recht et al. 2011, section 2 ("sparse SVM").
#pragma once

#include "kernels/annotate.h"
#include "kernels/problem.h"

#include <string_view>

namespace hogwild {

struct Hinge {
    using Pattern = SparseRows;
    static constexpr std::string_view name = "hinge";
    static constexpr double curvature = 0.0;
    static constexpr bool real_labels = false;

    template <class Real>
    HOGWILD_HOST_DEVICE static Real value(Real margin, Real label) {
        const Real violation = Real(1) - label * margin;
        return violation <= Real(0) ? Real(0) : violation; // NaN stays NaN
    }

    template <class Real>
    HOGWILD_HOST_DEVICE static Real slope(Real margin, Real label) {
        return label * margin < Real(1) ? -label : Real(0);
    }
};

} // namespace hogwild
