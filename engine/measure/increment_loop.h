// The inner loop of every increment measurement: +1 to coordinates drawn at random, through an update policy.
//
//   coordinate(k) = 32 bits of mix(seed + k / 2) mod size,   size a power of two
//
// Draws are counter-based: there is no state, and no table that would sit in a cache in place of the cells. A range may
// be cut anywhere at even positions. One 64-bit mix serves two draws; what it costs is measured (draw_ns in
// engine/measure/measure.h). Increments are integers: while fewer than 2^24 are issued in total, every cell counts
// exactly what reached it. Thread-safety: that of the policy.
// Source of mix: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64).
#pragma once

#include <cstdint>

namespace hogwild {

/// Increments issued in one measurement stay below this, so that no float cell can saturate.
inline constexpr std::uint64_t kExactIncrements = (std::uint64_t{1} << 24) - 1;

inline std::uint64_t mix(std::uint64_t position) {
    std::uint64_t bits = position * 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

/// Issues `count` increments, the draws [first, first + count) of the seed; first and count are even, `size` is a power
/// of two, at most 2^32. Inlined, for the loop holds no call.
template <class Policy>
inline void increment_at_random(const Policy& policy, float* cells, std::uint64_t size, std::uint64_t seed,
                                std::uint64_t first, std::uint64_t count) {
    const std::uint64_t mask = size - 1;
    for (std::uint64_t pair = first / 2; pair < (first + count) / 2; ++pair) {
        const std::uint64_t bits = mix(seed + pair);
        policy.add(cells[bits & mask], 1.0F);
        policy.add(cells[(bits >> 32) & mask], 1.0F);
    }
}

} // namespace hogwild
