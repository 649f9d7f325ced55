// What share of its increments a worker should add to a shared model that others moved from the same place meanwhile.
//
// Along a coordinate a worker's steps contract the distance to where they are heading by exp(-e). Here e is the sum of
// its step sizes times the curvatures that it met there. It has gone a = 1 - exp(-e) of the way. M workers one after
// the other would have gone 1 - (1 - a)^M of it. Side by side, from one place, each goes a, and their sum is M a. The
// share
//
//   s(e) = (1 - exp(-M e)) / (M (1 - exp(-e)))
//
// of each makes the sum what the sequence would have been. It is 1 for a coordinate that hardly anybody moved: increments are
// summed, as Hogwild does. It is 1 / M for one that everybody moved to its place: models are averaged, as local SGD does. Between
// them it falls.
//
// It is computed by a table of sixteen pieces an octave, linear within each. Where e >= 2^-16 it is within 0.1 % of the
// formula. Below it is 1, where the formula is within M 2^-17 of 1. A GPU, which shares out a whole network at once,
// goes by the formula. Thread-safety: const.
#pragma once

#include "kernels/annotate.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hogwild {

/// How steep a network's losses are along a weight, which no data says beforehand. Along one weight alone a softmax's
/// curvature is a quarter at most, and the mean square of what comes into a layer about one half. But a step moves all
/// weights together. There losses are steeper by an order of magnitude (measured: DECISIONS, *Replicas of networks are
/// due as a whole*).
inline constexpr float kNetworkCurvature = 1.0f;

class SequentialShare {
public:
    explicit SequentialShare(unsigned workers) {
        for (std::uint32_t i = 0; i <= kPieces; ++i) {
            const double e = std::bit_cast<float>((i + kFirst) << kBits);
            at_[i] = static_cast<float>(formula(e, workers));
        }
    }

    /// Without a table.
    HOGWILD_HOST_DEVICE static float of(float e, unsigned workers) { return e >= kLeast ? formula(e, workers) : 1.0f; }

    float operator()(float e) const {
        if (!(e >= kLeast)) return 1.0f;
        if (e >= kMost) return at_[kPieces];
        const auto bits = std::bit_cast<std::uint32_t>(e);
        const std::uint32_t piece = (bits >> kBits) - kFirst;
        const float within = static_cast<float>(bits & ((1u << kBits) - 1)) * (1.0f / (1u << kBits));
        return at_[piece] + within * (at_[piece + 1] - at_[piece]);
    }

private:
    template <class Real>
    HOGWILD_HOST_DEVICE static Real formula(Real e, unsigned workers) {
        return std::expm1(-e * workers) / (workers * std::expm1(-e));
    }

    // A float's upper thirteen bits: its exponent and a sixteenth of its octave.
    static constexpr std::uint32_t kBits = 19;
    static constexpr float kLeast = 0x1p-16f, kMost = 0x1p6f;
    static constexpr std::uint32_t kFirst = std::bit_cast<std::uint32_t>(kLeast) >> kBits;
    static constexpr std::uint32_t kPieces = (std::bit_cast<std::uint32_t>(kMost) >> kBits) - kFirst;

    std::array<float, kPieces + 1> at_{};
};

} // namespace hogwild
