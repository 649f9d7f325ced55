// Which schemes get final runs: of each kind the best by their trials, for every problem of a data set by itself.
//
// A scheme is as good as its best combination of several workers, since one worker is serial code by another name. The
// best is the one of the smallest median time to target; where none got there, of the best median at the end. It is
// kept with all its combinations, so that its whole curve over workers is measured. Where schemes are equal those that
// come first are kept.
// Thread-safe: a pure function.
#pragma once

#include "experiments/sweep/tuner.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hogwild {

struct Screened {
    std::vector<std::size_t> kept; // combinations, in their order
    std::vector<std::string> notes;
};

/// `rising`: whether a larger score is better, where the target is of a score.
Screened screened(const ByKind& screen, const std::vector<Combination>& combinations, const std::vector<Chosen>& chosen,
                  bool rising = false);

} // namespace hogwild
