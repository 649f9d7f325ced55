#include "experiments/applies.h"

namespace hogwild {

Applies applies(const Plan& plan) {
    const bool hogwild = plan.scheme == "hogwild", chooses_update = hogwild && plan.guard == "none";
    return {
        .threads = plan.scheme != "serial",
        .update = chooses_update,
        .guard = hogwild,
        .batch = plan.scheme == "minibatch",
        .exchange = plan.scheme == "local-sgd",
        .telemetry = plan.scheme != "minibatch" && plan.scheme != "local-sgd",
        .decay = plan.step.kind == "decay" || plan.step.kind == "backoff",
        .half_life = plan.step.kind == "inverse-time",
        .plateau = plan.step.kind == "backoff",
        .cas_limit = chooses_update && plan.update == "cas-bounded",
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
    if (!axis.half_life) plan.step.half_life = neutral.step.half_life;
    if (!axis.plateau) plan.step.plateau = neutral.step.plateau;
    if (!axis.cas_limit) plan.cas_limit = neutral.cas_limit;
    return plan;
}

} // namespace hogwild
