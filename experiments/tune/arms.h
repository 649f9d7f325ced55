// What `hogwild tune` tries: every value that was given, and where nothing was, schemes, numbers of workers, policies, steps,
// exchanges, coupling, batches, increments of hot coordinates and clusters that this machine and these samples can take.
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) where nothing can run, or what is searched is no one problem.
#pragma once

#include "engine/data/dataset.h"
#include "engine/plan.h"
#include "experiments/axes.h"
#include "experiments/sweep/spec.h"
#include "experiments/tune/halving.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hogwild {

/// The axes with the lists that are searched in place of what was not given.
Axes searched(Axes axes);

/// Whether its one worker on the CPU walks serial's path (but for rounding), so that nothing but its step, and what its scheme costs, can make it
/// faster or slower than serial code: that of every scheme but those whose one worker is another algorithm.
bool doubles_serial(const Plan& plan);

/// Of each plan the serial one that it is compared with, which has its step size (or the next one to it, where its scheme scales
/// steps otherwise), step rule and batch; of serial plans themselves. Without serial plans kNoYardstick.
std::vector<std::size_t> yardsticks(const std::vector<Plan>& plans);

/// Plans, in the order in which they begin: of each scheme one in turn, serial's first (hogwild with replicated
/// hot coordinates is one of its own), within a scheme at random (by the hashes of its plans, so
/// the same at every start), since a short budget begins the first ones alone; and none before its yardstick. Beside serial
/// plans there are no doubles of them. Hot coordinates that are searched are no more than the model has.
std::vector<Plan> arms(const Axes& axes, const Dataset& train);

/// The settings of `hogwild run` that give this plan, but its seed, on such samples: those of `typed` that are no axes, and what
/// of the plan is no default. In few passes: a setting may change another one's default.
std::vector<Setting> settings_of(const Plan& plan, const std::vector<Setting>& typed, const Dataset& train);

} // namespace hogwild
