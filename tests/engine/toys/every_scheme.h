// A small plan of every scheme on the list, for laws that hold of all.
#pragma once

#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "tests/engine/toys/toy_run.h"

#include <algorithm>
#include <string>
#include <vector>

namespace hogwild {

/// Of as many workers, where the scheme has several; of a loss that its steps can take.
inline std::vector<Plan> plans_of_every_scheme(unsigned threads) {
    std::vector<Plan> plans;
    for (const SchemeTraits* const scheme : all_schemes()) {
        Plan plan = toy_plan(std::string(scheme->name), scheme->writers == Writers::kOne ? 1 : threads);
        if (scheme->corrects_steps() || scheme->steps_on_columns()) plan.problem = "logistic";
        plan.backup = std::min(plan.backup, plan.threads - 1);
        plans.push_back(plan);
    }
    return plans;
}

} // namespace hogwild
