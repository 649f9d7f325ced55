// What `hogwild tune` tries: every value that was given. Where nothing was, it tries what this machine and these
// samples can take. That is schemes, numbers of workers, policies, steps, exchanges, coupling, batches, increments of
// hot coordinates and clusters.
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) where nothing can run, or what is searched is no one problem.
#pragma once

#include "engine/data/dataset.h"
#include "engine/plan/plan.h"
#include "experiments/options/axes.h"
#include "experiments/sweep/spec/spec.h"
#include "experiments/tune/halving.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

/// The axes of what is tried of each scheme first: what `hogwild run` does where nothing is given, on the most threads.
/// Schedules that know a run's length (`linear`) have no place in a race to a target. Where a problem has one by
/// default, steps decay by epochs, after the same warm-up. Unless epochs are given, or schedules that know a run's
/// length are asked for, there may be up to kMostEpochs.
inline constexpr std::uint32_t kMostEpochs = 64;
Axes usual(Axes axes);

/// The usual axes, with the lists that are searched in place of what was not given.
Axes searched(Axes axes);

/// Whether a shorter run would be no stage of this one, since its steps fall to nothing at its end.
bool knows_its_end(const Plan& plan);

/// Epochs of a trial that is so many times twice as long as the shortest: one, two and so on, up to the plan's. For a
/// plan that knows its end, all of them.
std::uint32_t epochs_of(const Plan& plan, unsigned doublings);

/// After which it has all epochs.
unsigned most_doublings(const Plan& plan);

/// One of these plans, of which there are some, whose trials double most often.
const Plan& longest_of(const std::vector<Plan>& plans);

/// Whether its one worker on the CPU walks serial's path (but for rounding). Then nothing but its step, and what its
/// scheme costs, can make it faster or slower than serial code. That holds for every scheme but those whose one worker
/// is another algorithm.
bool doubles_serial(const Plan& plan);

/// For each plan, the serial one most like it, which has its step size, step rule and batch. Where its scheme scales
/// steps otherwise, it has the next step size to it. A serial plan is its own. Without serial plans kNoYardstick.
std::vector<std::size_t> yardsticks(const std::vector<Plan>& plans);

/// The plans that differ from plans[arm] in one setting alone, of the same scheme. For a number they have the next
/// smaller and the next larger value, as far as there are any, step sizes first. For a word they have every other one.
/// A setting by which another one's default goes has no neighbours where that one is not given: plans then differ in
/// both.
std::vector<std::size_t> neighbours(const std::vector<Plan>& plans, std::size_t arm);

struct Arms {
    std::vector<Plan> plans;
    std::vector<bool> usual; // of each plan, whether it is what its scheme does by default
};

/// What these axes, as they were given, leave to try, in the order in which it begins. Each scheme gives one plan in
/// turn, serial's first; hogwild with replicated hot coordinates counts as a scheme. Within a scheme usual plans come
/// first, since a short budget begins the first ones alone. The others follow at random (by the hashes of plans, so the
/// same at every start). No plan comes before its yardstick. Beside serial plans there are no doubles of them. Hot
/// coordinates that are searched are no more than the model has.
Arms arms(const Axes& axes, const Dataset& train);

/// The settings of `hogwild run` that give this plan, but its seed, on such samples. They are those of `typed` that are
/// no axes, the plan's step and epochs, and what else of it is no default. It takes a few passes, since a setting may
/// change another one's default.
std::vector<Setting> settings_of(const Plan& plan, const std::vector<Setting>& typed, const Dataset& train);

} // namespace hogwild
