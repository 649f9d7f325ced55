#include "engine/schemes/replicas/coordinate_use.h"

#include "engine/data/columns/column_use.h"
#include "engine/data/ratings/group_use.h"
#include "engine/data/sparse/norms.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"
#include "kernels/exchange/sequential_share.h"

#include <cmath>

namespace hogwild {
namespace {

/// From shares of the samples to how steep their losses are.
void scale(std::vector<float>& steepness, const RatingsView& data) {
    const double factor = deviation(data) / std::sqrt(static_cast<double>(data.model.rank));
    const std::size_t factors = std::size_t{data.groups()} * data.model.rank;
    for (std::size_t j = 0; j < factors; ++j) steepness[j] *= static_cast<float>(factor);
    if (data.model.root_damp == 0) return;
    for (std::uint32_t group = 0; group < data.groups(); ++group) {
        const bool user = group < data.users;
        const PairDamping damping = data.damping(user ? group : 0, user ? 0 : group - data.users);
        data.for_each_range(group, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end; ++j) steepness[j] *= user ? damping.user : damping.item;
        });
    }
}

void scale(std::vector<float>& steepness, const TokensView& data) {
    for (float& each : steepness) each *= 1.5f / static_cast<float>(data.model.dim);
}

} // namespace

CoordinateUse coordinate_use(const Plan& plan, const AnyView& data) {
    if (problem_traits(plan).takes_network)
        return {std::vector(data.coordinates(), 1.0f), std::vector(data.coordinates(), kNetworkCurvature)};
    if (is_linear(plan.problem)) {
        ColumnUse use = column_use(data.as<SparseView>());
        const double curvature = with_linear_problem(plan.problem, []<class Problem>(Problem) {
            constexpr double kHinge = 0.5; // none at its kink, but over a step's length it bends
            return Problem::curvature > 0 ? Problem::curvature : kHinge;
        });
        for (float& each : use.energy) each *= static_cast<float>(curvature);
        return {std::move(use.touched), std::move(use.energy)};
    }
    CoordinateUse use{group_use(data).touched, {}, data.is<EdgesView>()};
    use.steepness = use.touched;
    if (data.is<RatingsView>()) scale(use.steepness, data.as<RatingsView>());
    if (data.is<TokensView>()) scale(use.steepness, data.as<TokensView>());
    return use;
}

} // namespace hogwild
