// Runs of candidates whose cost is known, for laws of races.
#pragma once

#include "experiments/tune/halving.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace hogwild {

inline double weight(unsigned doublings) { return std::ldexp(1.0, static_cast<int>(doublings)); }

inline const Lengths kLengths{4, weight};

/// Candidate i costs 1 + i, times noise; a run of d doublings takes 2^d seconds, and gets there with `enough` of them.
struct Simulated {
    double noise = 0;
    unsigned enough = 4;
    std::mt19937 random{7};
    std::map<std::pair<unsigned, unsigned>, std::map<std::size_t, int>> runs; // by rung and seed
    unsigned races = 0, most = 0;                                             // races; doublings
    double spent = 0, longest = 0;

    Measure measure() {
        return [this](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            ++runs[{turn.rung, turn.seed}][arm];
            races = std::max(races, turn.race + 1);
            most = std::max(most, turn.doublings);
            const double seconds = weight(turn.doublings);
            spent += seconds;
            longest = std::max(longest, seconds);
            std::normal_distribution<double> normal(0, noise);
            return Reading{seconds, (1.0 + static_cast<double>((arm * 37) % 101)) * std::exp(normal(random)),
                           turn.doublings >= enough, weight(enough) / weight(turn.doublings)};
        };
    }
};

inline constexpr std::size_t kBest = 0; // (arm * 37) % 101 == 0

inline std::vector<std::size_t> rivals(std::size_t count) { return std::vector<std::size_t>(count, kNoYardstick); }

} // namespace hogwild
