// When a run that was too short will reach its target, from what it observed.
//
//   of a training loss with a known optimum   gap(t) falls by a constant factor a second: t log(gap(0) / target gap) / log(gap(0) / gap(t))
//   of a score, or a loss without an optimum  by a constant amount a second
//
// The end that counts is the best observation. Infinite where it is no better than the first one, or there is none.
// Losses of SGD fall more slowly the lower they are, so a forecast from far away is too early. It ranks candidates, and
// is measured again. Thread-safe: pure functions.
#pragma once

#include "engine/record/targets.h"

#include <span>

namespace hogwild {

/// Seconds from the start; `optimum`: kNone where it is not known. When a run that missed `target` would reach it.
double forecast(std::span<const Observation> observations, double target, double optimum, const Watched& watched);

} // namespace hogwild
