// The Euclidean projection of a small vector onto the probability simplex.
//
//   project(x) = argmin |p - x| over p >= 0, sum p = 1;   p_k = max(x_k - tau, 0), with the tau that makes the sum 1
//
// tau = (sum of the entries above tau - 1) / their number. The set of these entries is found by Michelot's rounds: begin with
// all, take their tau, drop what does not exceed it, until nothing is dropped; each round costs a pass, and few are needed. Sums
// go in sixteen lanes, lane k mod 16 for entry k, folded in halves, so that every instruction set gives the same bits.
// Of two classes, whose second number is one minus the first, the projection clamps the first to [0, 1].
//
// Entries that are not finite come out as something; whoever evaluates weights looks for them. Thread-safety: pure functions.
// Source: Duchi, Shalev-Shwartz, Singer, Chandra, "Efficient projections onto the l1-ball for learning in high dimensions", ICML
// 2008 (the condition on tau); Michelot, "A finite algorithm for finding the projection of a point onto the canonical simplex",
// 1986 (the rounds).
#pragma once

#include "kernels/annotate.h"

#include <cstdint>

namespace hogwild {

/// Of (x, 1 - x), the first number.
template <class Real>
HOGWILD_HOST_DEVICE inline Real project_onto_segment(Real x) {
    x = x > Real(0) ? x : Real(0);
    return x < Real(1) ? x : Real(1);
}

/// In place; size is at least 1.
template <class Real>
HOGWILD_HOST_DEVICE inline void project_onto_simplex(Real* x, std::uint32_t size) {
    constexpr std::uint32_t kWide = 16;
    // tau of the entries above `floor`, and how many they are.
    const auto above = [&](Real floor, bool all, std::uint32_t& count) {
        Real lane[kWide] = {};
        std::uint32_t counts[kWide] = {};
        std::uint32_t k = 0;
        const auto add = [&](std::uint32_t l) {
            const bool kept = all || x[k + l] > floor;
            lane[l] += kept ? x[k + l] : Real(0);
            counts[l] += kept ? 1 : 0;
        };
        for (; k + kWide <= size; k += kWide) {
            for (std::uint32_t l = 0; l < kWide; ++l) add(l);
        }
        for (std::uint32_t l = 0; k + l < size; ++l) add(l);
        for (std::uint32_t width = kWide / 2; width > 0; width /= 2) {
            for (std::uint32_t l = 0; l < width; ++l) lane[l] += lane[l + width], counts[l] += counts[l + width];
        }
        count = counts[0];
        return (lane[0] - Real(1)) / static_cast<Real>(count);
    };
    std::uint32_t kept = 0;
    Real tau = above(Real(0), true, kept);
    for (;;) {
        std::uint32_t count = 0;
        const Real next = above(tau, false, count);
        if (count == 0 || count >= kept) break;
        kept = count;
        tau = next;
    }
    for (std::uint32_t k = 0; k < size; ++k) x[k] = x[k] > tau ? x[k] - tau : Real(0);
}

} // namespace hogwild
