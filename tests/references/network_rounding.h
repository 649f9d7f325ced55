// How far a step of a network in floats may be from the exact one. The bound goes by the longest chain of sums that an
// entry of its gradient is at the end of. n sums of terms in any order are wrong by at most n u times the sum of their
// magnitudes. u = 2^-24 (Higham 2002, section 4.2). One constant is not derived: that sum is taken as 1, or as the
// largest change where that is more.
#pragma once

#include "kernels/network/network.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// Longest chain of sums that an entry of the gradient is at the end of.
inline double chain(const NetworkShape& network, std::uint32_t samples) {
    double length = 0;
    for (std::uint32_t l = 0; l < network.count; ++l) {
        const Layer& layer = network.layers[l];
        length += 2.0 * layer.depth + 2.0 * layer.out.size() + 32; // forward, back, pooling, an exponential
    }
    return length + samples;
}

/// The rounding of a step of size 1, whose largest change is given. Magnitudes of what goes through count as 1, or as
// that.
inline double step_rounding(const NetworkShape& network, std::uint32_t samples, double largest_change) {
    return chain(network, samples) * 0x1p-24 * std::max(1.0, largest_change);
}

} // namespace hogwild
