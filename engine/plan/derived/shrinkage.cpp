#include "engine/plan/derived/shrinkage.h"

#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "engine/plan/step_settings.h"

#include <algorithm>
#include <cmath>

namespace hogwild {

double lazy_l2(const Plan& plan) {
    const SchemeTraits& scheme = scheme_traits(plan);
    if (!problem_traits(plan).shrinks_all || scheme.steps_on_doubles()) return 0;
    const bool averages_clusters = scheme.has_clusters() && scheme.merging == Merging::kAverages;
    return averages_clusters ? plan.l2 / clusters(plan) : plan.l2;
}

double shrinkage(const Plan& plan) {
    const bool mean_of_batch = scheme_traits(plan).is_minibatch() && !problem_traits(plan).shrinks_all;
    return plan.step.size * plan.l2 / (mean_of_batch ? std::max(1u, plan.batch.size) : 1u);
}

double shrinkage_bits(double step, double l2) { return -std::log1p(-step * l2) / std::log(2.0) * kCell; }

} // namespace hogwild
