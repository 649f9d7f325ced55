// Skip-gram word vectors with negative sampling, for a context's input x and an output y, with s(m) = 1 / (1 + e^-m).
// Where y is the centre's (label 1), value = -log s(x . y); where it is a negative's (label 0), value = -log s(-x . y).
// slope = s(m) - label. A position's loss is the sum over its window (kernels/views/tokens_view.h).
// Source: Mikolov, Sutskever, Chen, Corrado, Dean, "Distributed representations of words and phrases", NIPS 2013.
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/exponential.h"
#include "kernels/problem.h"

#include <cmath>
#include <string_view>

namespace hogwild {

struct SkipGram {
    using Pattern = TokenWindows;
    static constexpr std::string_view name = "skipgram";

    template <class Real>
    HOGWILD_HOST_DEVICE static Real value(Real product, Real label) {
        const Real z = label > Real(0) ? product : -product;
        return z >= Real(0) ? std::log1p(exponential(-z)) : std::log1p(exponential(z)) - z;
    }

    template <class Real>
    HOGWILD_HOST_DEVICE static Real slope(Real product, Real label) {
        return Real(1) / (Real(1) + exponential(-product)) - label;
    }
};

} // namespace hogwild
