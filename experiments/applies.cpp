#include "experiments/applies.h"

namespace hogwild {

Applies applies(const Plan& plan) {
    const bool hogwild = plan.scheme == "hogwild";
    return {
        .threads = plan.scheme != "serial",
        .update = hogwild && plan.guard == "none",
        .guard = hogwild,
        .batch = plan.scheme == "minibatch",
        .exchange = plan.scheme == "local-sgd",
        .telemetry = plan.scheme != "minibatch" && plan.scheme != "local-sgd",
        .decay = plan.step.kind == "decay" || plan.step.kind == "backoff",
    };
}

Plan collapsed(Plan plan) {
    const Plan neutral;
    if (!applies(plan).guard) plan.guard = neutral.guard; // before update, whose meaning depends on the guard
    const Applies axis = applies(plan);
    if (!axis.threads) plan.threads = neutral.threads;
    if (!axis.update) plan.update = neutral.update;
    if (!axis.batch) plan.batch = neutral.batch;
    if (!axis.exchange) plan.exchange = neutral.exchange;
    if (!axis.telemetry) plan.telemetry = neutral.telemetry;
    if (!axis.decay) plan.step.decay = neutral.step.decay;
    if (plan.step.kind != "inverse-time") plan.step.half_life = neutral.step.half_life;
    if (plan.step.kind != "backoff") plan.step.plateau = neutral.step.plateau;
    if (plan.update != "cas-bounded") plan.cas_limit = neutral.cas_limit;
    return plan;
}

} // namespace hogwild
