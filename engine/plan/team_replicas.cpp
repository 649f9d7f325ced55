#include "engine/plan/team_replicas.h"

#include <algorithm>

namespace hogwild {

ReplicaRule replica_rule(const Plan& plan, std::uint64_t rows, std::uint32_t teams) {
    if (plan.scheme != "async-local-sgd" || teams == 1) return {};
    const double curvature = plan.exchange.combine == "sequential" ? kNetworkCurvature * plan.exchange.coupling : 0;
    return {.period = static_cast<std::uint32_t>(std::min(exchange_period(plan, rows), rows)),
            .workers = teams,
            .steepness = static_cast<float>(curvature / plan.batch.size),
            .share = plan.exchange.combine == "average" ? 1.0f / static_cast<float>(teams) : 1.0f};
}

} // namespace hogwild
