// How long runs will take, roughly, before any has run: for --dry-run.
//
// From nanoseconds a nonzero as 16 cores and an H200 were seen to take (results/reference), and the delay of each gradient.
// Right within a factor of two or three; a plan, no promise.
// Thread-safe: pure functions.
#pragma once

#include "engine/plan.h"

#include <cstdint>

namespace hogwild {

/// Seconds of one run on so many samples and their nonzeros; evaluation and its process's start included.
double predicted_seconds(const Plan& plan, std::uint64_t rows, std::uint64_t nonzeros, unsigned cores);

} // namespace hogwild
