// Minimum cut, relaxed: every node has a point of the simplex of classes, terminals sit at their corners, and an edge costs
//
//   (weight / mean weight) (1/2) sum_k value(x_uk - x_vk),   value = |difference|, slope = its sign, 0 at 0
//
// so that between corners a cut edge costs its weight, an uncut one nothing. A mean loss is a share of all weight.
// Source: Recht et al. 2011, section 2 ("graph cuts"); Calinescu, Karloff, Rabani, "An improved approximation algorithm for
// multiway cut", STOC 1998.
#pragma once

#include "kernels/annotate.h"
#include "kernels/problem.h"

#include <string_view>

namespace hogwild {

struct Cut {
    using Pattern = EdgeEnds;
    static constexpr std::string_view name = "cut";

    template <class Real>
    HOGWILD_HOST_DEVICE static Real value(Real difference) {
        return difference < Real(0) ? -difference : difference;
    }

    template <class Real>
    HOGWILD_HOST_DEVICE static Real slope(Real difference) {
        return static_cast<Real>(static_cast<int>(difference > Real(0)) - static_cast<int>(difference < Real(0)));
    }
};

} // namespace hogwild
