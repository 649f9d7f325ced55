// The combinations that a sweep's file asks for. They are the product of its axes, less what is excluded and what is on
// data that are left out, with what is overridden.
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) for a condition on what is set nowhere, and for more
// combinations than can be held, before they are made.
#pragma once

#include "experiments/sweep/spec/spec.h"

#include <vector>

namespace hogwild {

/// All settings of one combination, without its seed and without what is tuned; later ones win.
using Case = std::vector<Setting>;

std::vector<Case> cases(const Spec& spec);

/// Notes on each [[exclude]] and [[override]] that no combination fits: in vain, or mistyped. Not of those for some data, which may
/// be others today.
std::vector<std::string> idle_conditions(const Spec& spec);

/// A note on each old spelling of a value (experiments/options/old_spellings.h).
std::vector<std::string> old_spellings(const Spec& spec);

/// What is tried for one of `cases` where something is tuned: each value of each list with each of the others.
std::vector<Case> candidates(const Spec& spec, const Case& settings);

/// Errors: usage for more runs, of trials and final ones, than anybody waits for.
void check_runs(const Spec& spec);

/// The value that an option has, or null.
const std::string* value_of(const Case& settings, const std::string& option);

} // namespace hogwild
