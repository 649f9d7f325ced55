// Small runs for the laws of schemes.
#pragma once

#include "engine/plan/plan.h"
#include "engine/record/recorder.h"
#include "engine/run.h"
#include "tests/engine/toys/toy_samples.h"

#include <string>
#include <vector>

namespace hogwild {

inline Plan toy_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan;
    plan.scheme = scheme;
    plan.threads = threads;
    plan.epochs = 4;
    plan.l2 = 1e-3;
    plan.pin = "none";
    plan.batch.size = 32;
    plan.exchange.period = 50;
    plan.step.size = 0.2;
    return plan;
}

inline std::vector<float> weights_of(const Plan& plan, const Dataset& data) { return run(plan, {data}).weights; }

/// The gap of the final weights, certified, relative to where the run began.
inline double relative_gap(const Outcome& outcome) {
    const Observation &first = outcome.observations.front(), &last = outcome.observations.back();
    return last.optimality_bound / (first.train_loss - last.train_loss);
}

} // namespace hogwild
