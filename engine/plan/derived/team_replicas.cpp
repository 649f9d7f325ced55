#include "engine/plan/derived/team_replicas.h"

#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"

#include <algorithm>

namespace hogwild {

ReplicaRule replica_rule(const Plan& plan, std::uint64_t rows, std::uint32_t teams) {
    if (!scheme_traits(plan).exchanges() || teams == 1) return {};
    const double curvature = combine_traits(plan).measures ? kNetworkCurvature * plan.exchange.coupling : 0;
    return {.period = static_cast<std::uint32_t>(std::min(exchange_period(plan, rows), rows)),
            .workers = teams,
            .steepness = static_cast<float>(curvature / plan.batch.size),
            .share = combine_traits(plan).averages ? 1.0f / static_cast<float>(teams) : 1.0f};
}

} // namespace hogwild
