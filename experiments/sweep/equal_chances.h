// Equal chances: every combination chooses among as many candidates as any other, whatever lists apply to it.
//
// Where there are more, a part is drawn by the hashes of their plans: at random, but the same on every machine. Where
// there are fewer, they get finer steps. Between two neighbouring step sizes of candidates that agree in all else comes
// their geometric mean, again and again. A combination that has no two steps keeps what it has.
// Thread-safe: pure functions of what they are given.
#pragma once

#include "experiments/sweep/sweep_inputs.h"

#include <cstddef>
#include <vector>

namespace hogwild {

/// `swept` makes the plans of what is added.
void level(SweepInputs& swept, Combination& combination, std::size_t count);

/// What lies between neighbouring steps of these, widest gaps first.
std::vector<Case> between(const std::vector<Candidate>& candidates);

} // namespace hogwild
