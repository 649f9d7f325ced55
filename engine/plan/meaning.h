// Which choices mean something for a plan: what the axes' rows ask (engine/plan/axes/).
//
// Thread-safety: pure functions. Preconditions of all: the plan's names are known.
#pragma once

#include <string>

namespace hogwild {

struct Plan;

namespace means {

bool threads(const Plan& plan);
bool update(const Plan& plan);
bool guard(const Plan& plan);
bool batch(const Plan& plan);
bool backup(const Plan& plan);
bool exchange(const Plan& plan);
bool doublings(const Plan& plan);
bool combine(const Plan& plan);
bool coupling(const Plan& plan);
bool cluster(const Plan& plan);
bool network(const Plan& plan);
bool read(const Plan& plan);
bool state(const Plan& plan);
bool beta1(const Plan& plan);
bool beta2(const Plan& plan);
bool l2(const Plan& plan);
bool telemetry(const Plan& plan);
bool decay(const Plan& plan);
bool half_life(const Plan& plan);
bool plateau(const Plan& plan);
bool cas_limit(const Plan& plan);
bool layer_update(const Plan& plan);
bool staleness_rule(const Plan& plan);
bool staleness_limit(const Plan& plan);
bool device(const Plan& plan);
bool memory(const Plan& plan);
bool numbers(const Plan& plan);
bool rounding(const Plan& plan);
bool int8_range(const Plan& plan);
bool streams(const Plan& plan);
bool blocks(const Plan& plan);
bool gpu_steps(const Plan& plan);
bool products(const Plan& plan);
bool hot_rule(const Plan& plan);
bool bridge(const Plan& plan);
bool two_batches(const Plan& plan);
bool batch_most(const Plan& plan);
bool hot_updates(const Plan& plan);
bool hot(const Plan& plan);

} // namespace means

/// Whether the placement is of so many hottest coordinates.
bool places_hot(const Plan& plan);

/// Whether a run cannot go without a GPU.
bool wants_gpu(const Plan& plan);

/// The update policy, and what increments of hot coordinates become instead: "racy", "racy+delayed".
std::string update_text(const Plan& plan);

} // namespace hogwild
