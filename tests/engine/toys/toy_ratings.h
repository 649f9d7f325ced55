// Small runs over ratings for the laws of schemes.
#pragma once

#include "engine/plan/plan.h"
#include "tests/engine/toys/toy_ratings_samples.h"
#include "tests/engine/toys/toy_run.h"

#include <string>

namespace hogwild {

inline Plan ratings_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = toy_plan(scheme, threads);
    plan.problem = "factorization";
    plan.parameters = {8, 1};
    plan.step.size = 0.05;
    plan.l2 = 0.02;
    return plan;
}

} // namespace hogwild
