// What the integers of a synchronous step's sums count (kernels/cuda/batches/batches.h).
//
// Terms are rounded to multiples of a unit, so the order of a sum does not matter. The unit is 2^-40, or what the data
// asks for. A term is limited so that a batch of them cannot exceed what an integer holds. A run whose gradients grow
// that large has diverged, and its sums stay large.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hogwild {

struct SumUnit {
    double unit = 0x1p-40; // a power of two
    double per_unit = 0x1p+40;
    double most_units = 0x1p+30; // of one term

    /// The unit for sums of so many terms, products of values and slopes up to these magnitudes. It is 2^-40, or larger
    /// where the sum would pass 2^52 units. That leaves slopes a thousandfold to grow.
    static SumUnit of(std::uint64_t terms, double most_value, double most_slope) {
        SumUnit made;
        const double sum = static_cast<double>(terms) * std::max(1.0, most_value) * std::max(1.0, most_slope);
        while (sum > made.unit * 0x1p+52) made.unit *= 2;
        made.per_unit = 1.0 / made.unit;
        made.most_units = 0x1p+62 / static_cast<double>(terms);
        return made;
    }
};

} // namespace hogwild
