// What a run does where the command line says nothing: step size, its schedule, batch, exchange and epochs belong to
// (problem, scheme); L2 is 1/n for all. They are printed before the runs.
//
// The sizes suit samples of unit norm (text with tf-idf weights); other data wants --step-size 0.01,0.1,1.
#pragma once

#include "engine/plan.h"

namespace hogwild {

/// Sets step kind, size and decay, batch, exchange and epochs of plan from its problem and scheme. A pair without a row
/// in the table keeps Plan's own defaults.
void set_defaults(Plan& plan);

/// True when the table has a row for plan's problem and scheme.
bool has_defaults(const Plan& plan);

} // namespace hogwild
