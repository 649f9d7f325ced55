// The Euclidean projection of a small vector onto the probability simplex.
//
//   project(x) = argmin |p - x| over p >= 0, sum p = 1;   p_k = max(x_k - tau, 0), with the tau that makes the sum 1
//
// tau = (sum of the entries above tau - 1) / their number. The set of these entries is found by Michelot's rounds.
// Begin with all, take their tau, drop what does not exceed it, until nothing is dropped. Each round costs a pass, and
// few are needed. Sums go in sixteen lanes, lane k mod 16 for entry k, folded in halves. So every instruction set gives
// the same bits. With two classes, whose second number is one minus the first, the projection clamps the first to [0,
// 1].
//
// Entries that are not finite give an unspecified result; whoever evaluates weights looks for them. Thread-safety: pure
// functions.
// Sources: Duchi, Shalev-Shwartz, Singer, Chandra, "Efficient projections onto the l1-ball for learning in high
// dimensions", ICML 2008 (the condition on tau). Michelot, "A finite algorithm for finding the projection of a point
// onto the canonical simplex", 1986 (the rounds).
#pragma once

#include "kernels/annotate.h"

#include <cstdint>
#include <cstring>
#include <limits>

namespace hogwild {

/// The first number of the projection of (x, 1 - x).
template <class Real>
HOGWILD_HOST_DEVICE inline Real project_onto_segment(Real x) {
    x = x > Real(0) ? x : Real(0);
    return x < Real(1) ? x : Real(1);
}

namespace simplex {

inline constexpr std::uint32_t kWide = 16;

template <class Real>
using Wide [[gnu::vector_size(kWide * sizeof(Real))]] = Real;

/// Lanes l and l + 8, then l and l + 4, ... : the first holds the sum.
template <class Real>
[[gnu::always_inline]] inline Real folded(const Wide<Real>& lanes) {
    Wide<Real> sum = lanes;
    sum += __builtin_shufflevector(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    sum += __builtin_shufflevector(sum, sum, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
    sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    return sum[0] + sum[1];
}

/// What a round finds above a floor.
template <class Real>
struct Above {
    Wide<Real> sums{}, counts{};

    [[gnu::always_inline]] void add(const Wide<Real>& x, const Wide<Real>& floor) {
        const Wide<Real> zeros{}, ones = zeros + Real(1);
        sums += x > floor ? x : zeros;
        counts += x > floor ? ones : zeros;
    }
};

} // namespace simplex

/// In place; size is at least 1.
template <class Real>
inline void project_onto_simplex(Real* x, std::uint32_t size) {
    using namespace simplex;
    constexpr Real kNothing = std::numeric_limits<Real>::lowest();
    const std::uint32_t whole = size / kWide * kWide;
    Wide<Real> last = Wide<Real>{} + kNothing; // the entries behind whole lanes
    if (whole < size) {
        Real rest[kWide];
        for (std::uint32_t l = 0; l < kWide; ++l) rest[l] = whole + l < size ? x[whole + l] : kNothing;
        std::memcpy(&last, rest, sizeof last);
    }
    Real tau = kNothing, kept = static_cast<Real>(size) + 1;
    for (;;) {
        Above<Real> above;
        const Wide<Real> floor = Wide<Real>{} + tau;
        for (std::uint32_t k = 0; k < whole; k += kWide) {
            Wide<Real> part;
            std::memcpy(&part, x + k, sizeof part);
            above.add(part, floor);
        }
        above.add(last, floor);
        const Real count = folded<Real>(above.counts);
        if (!(count > 0) || count >= kept) break;
        kept = count;
        tau = (folded<Real>(above.sums) - Real(1)) / count;
    }
    for (std::uint32_t k = 0; k < size; ++k) x[k] = x[k] > tau ? x[k] - tau : Real(0);
}

} // namespace hogwild
