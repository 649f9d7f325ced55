// Matrix completion by regularised factorization: value = (m - y)^2 / 2, slope = m - y, where m predicts the rating y
// (kernels/views/ratings_view.h).
// Source: Recht et al. 2011, section 2 ("matrix completion"); Koren, Bell, Volinsky, "Matrix factorization techniques for
// recommender systems", 2009, for the biases.
#pragma once

#include "kernels/annotate.h"
#include "kernels/problem.h"

#include <cmath>
#include <string_view>

namespace hogwild {

struct Factorization {
    using Pattern = FactorPairs;
    static constexpr std::string_view name = "factorization";

    /// The score of a mean value.
    static double score_of(double mean) { return std::sqrt(2 * mean); }

    template <class Real>
    HOGWILD_HOST_DEVICE static Real value(Real prediction, Real rating) {
        const Real residual = prediction - rating;
        return Real(0.5) * residual * residual;
    }

    template <class Real>
    HOGWILD_HOST_DEVICE static Real slope(Real prediction, Real rating) {
        return prediction - rating;
    }
};

} // namespace hogwild
