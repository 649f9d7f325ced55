#include "engine/schemes/coordinate_use.h"

#include "engine/data/column_use.h"
#include "engine/data/group_use.h"
#include "engine/data/norms.h"
#include "kernels/catalog.h"
#include "kernels/sequential_share.h"

#include <cmath>

namespace hogwild {
namespace {

/// How steep losses are along coordinates of groups, over the share of the samples that touch them.
class GroupSteepness {
public:
    explicit GroupSteepness(const Plan& plan) : step_(plan.step.size) {}

    void operator()(const RatingsView& data, std::vector<float>& steepness) const {
        const double factor = deviation(data) / std::sqrt(static_cast<double>(data.model.rank));
        const std::uint32_t factors = data.groups() * data.model.rank;
        for (std::uint32_t j = 0; j < factors; ++j) steepness[j] *= static_cast<float>(factor);
        if (data.model.root_damp == 0) return;
        for (std::uint32_t group = 0; group < data.groups(); ++group) {
            const bool user = group < data.users;
            const PairDamping damping = data.damping(user ? group : 0, user ? 0 : group - data.users);
            data.for_each_range(group, [&](std::uint32_t begin, std::uint32_t end) {
                for (std::uint32_t j = begin; j < end; ++j) steepness[j] *= user ? damping.user : damping.item;
            });
        }
    }

    void operator()(const TokensView& data, std::vector<float>& steepness) const {
        for (float& each : steepness) each *= 1.5f / static_cast<float>(data.model.dim);
    }

    void operator()(const EdgesView&, std::vector<float>& steepness) const {
        for (float& each : steepness) each /= static_cast<float>(step_);
    }

    void operator()(const auto&, std::vector<float>&) const {}

private:
    double step_;
};

} // namespace

CoordinateUse coordinate_use(const Plan& plan, const AnyView& data) {
    if (takes_network(plan.problem))
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
    CoordinateUse use{group_use(data), {}};
    use.steepness = use.touched;
    const GroupSteepness scale(plan);
    data.visit([&](const auto& view) { scale(view, use.steepness); });
    return use;
}

} // namespace hogwild
