// Classification by a network: softmax cross-entropy of its scores s, one for each class, and the sample's class y.
//
//   value = log(sum over c of e^(s_c)) - s_y,    slope_c = e^(s_c) / (sum over c of e^(s_c)) - [c = y]
//
// Exponents are taken less the largest score, so that none overflows. Scores that are not finite have a value that is not.
// Source: Bridle 1990, "Probabilistic interpretation of feedforward classification network outputs".
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/exponential.h"
#include "kernels/problem.h"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace hogwild {

struct Network {
    using Pattern = ImageBatches;
    static constexpr std::string_view name = "network";

    template <class Real>
    HOGWILD_HOST_DEVICE static Real value(const Real* scores, std::uint32_t classes, std::uint32_t label) {
        const Real most = largest(scores, classes);
        Real sum = 0;
        for (std::uint32_t c = 0; c < classes; ++c) sum += exponential(scores[c] - most);
        return std::log(sum) + (most - scores[label]);
    }

    /// Writes one slope for each class.
    template <class Real>
    HOGWILD_HOST_DEVICE static void slopes(const Real* scores, std::uint32_t classes, std::uint32_t label, Real* out) {
        const Real most = largest(scores, classes);
        Real sum = 0;
        for (std::uint32_t c = 0; c < classes; ++c) sum += out[c] = exponential(scores[c] - most);
        const Real share = Real(1) / sum;
        for (std::uint32_t c = 0; c < classes; ++c) out[c] = out[c] * share - (c == label ? Real(1) : Real(0));
    }

private:
    template <class Real>
    HOGWILD_HOST_DEVICE static Real largest(const Real* scores, std::uint32_t classes) {
        Real most = scores[0];
        for (std::uint32_t c = 1; c < classes; ++c) most = scores[c] > most ? scores[c] : most;
        return most;
    }
};

} // namespace hogwild
