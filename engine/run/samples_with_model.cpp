#include "engine/run/samples_with_model.h"

#include "engine/network/network.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/kernels.h"

#include <vector>

namespace hogwild {
namespace {

/// Calls f(kernels, model) with the model that the plan means for these samples.
template <class F>
decltype(auto) with_model(const AnyView& samples, const Plan& plan, const F& f) {
    const std::vector<double> values = parameters(plan);
    ModelChoice model{values, plan.l2, nullptr};
    if (problem_traits(plan).takes_network) {
        const auto& images = samples.as<ImagesView>();
        model.network = &network_of(plan.network.layers, images.shape, images.classes);
    }
    return f(kernels_named(plan.problem), model);
}

} // namespace

const Kernels& kernels_named(std::string_view problem) {
    return *with_problem(problem, [](auto p) { return &kernels_of<decltype(p)>(); });
}

AnyView bound(const AnyView& samples, const Plan& plan) {
    return with_model(samples, plan,
                      [&](const Kernels& kernels, const ModelChoice& model) { return kernels.bound(samples, model); });
}

std::uint32_t coordinates(const AnyView& samples, const Plan& plan) { return bound(samples, plan).coordinates(); }

std::uint64_t weights_asked_for(const AnyView& samples, const Plan& plan) {
    return with_model(samples, plan, [&](const Kernels& kernels, const ModelChoice& model) {
        return kernels.coordinates(samples, model);
    });
}

} // namespace hogwild
