// A number of a computation in floats: what it is without rounding, and a bound on how far its float is from that.
//
// Running error analysis (Higham, "Accuracy and stability of numerical algorithms", 2002, section 3.3), u = 2^-24.
// Where a and b are wrong by at most e_a and e_b, the result is wrong by:
//
//   a + b    e_a + e_b
//   a b      |a| e_b + |b| e_a + e_a e_b
//   a / b    (e_a + |a / b| e_b) / (|b| - e_b), infinite where e_b reaches |b|
//   sqrt a   min(e_a / sqrt a, sqrt e_a), for |sqrt a - sqrt b| is |a - b| over their sum, and at most sqrt |a - b|
//
// and u of the result, as large as that may be, for its own rounding. Errors are taken as independent, and underflow is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace hogwild {

struct Bounded {
    double value = 0, error = 0;

    static constexpr double kHalfUlp = 0x1p-24;

    /// What a float becomes of it: every constant and every result.
    static Bounded rounded(double value, double error = 0) {
        return {value, error + kHalfUlp * (std::abs(value) + error)};
    }

    friend Bounded operator+(const Bounded& a, const Bounded& b) {
        return rounded(a.value + b.value, a.error + b.error);
    }

    friend Bounded operator-(const Bounded& a, const Bounded& b) {
        return rounded(a.value - b.value, a.error + b.error);
    }

    friend Bounded operator*(const Bounded& a, const Bounded& b) {
        return rounded(a.value * b.value,
                       std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
    }

    friend Bounded operator/(const Bounded& a, const Bounded& b) {
        const double ratio = a.value / b.value, left = std::abs(b.value) - b.error;
        return rounded(ratio, left > 0 ? (a.error + std::abs(ratio) * b.error) / left
                                       : std::numeric_limits<double>::infinity());
    }

    friend Bounded sqrt(const Bounded& a) {
        const double root = std::sqrt(a.value), most = std::sqrt(a.error);
        return rounded(root, root > 0 ? std::min(a.error / root, most) : most);
    }
};

} // namespace hogwild
