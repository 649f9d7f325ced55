// The path of serial steps on a network, by plain loops in double (tests/references/network_reference.h,
// tests/references/optimizer_reference.h). It has bounds on how far weights are from it that are stepped on in floats, whatever
// the order of their sums.
//
// A gradient is wrong by what its sums round (tests/references/network_rounding.h), a step by what its optimiser makes of that.
// Steps add up. What wrong weights do to later gradients is left out. Steps have to be so small that this is less than
// what the bounds of sums have to spare.
#pragma once

#include "engine/network/network.h"
#include "engine/order/order.h"
#include "engine/plan/plan.h"
#include "kernels/patterns/image_batches.h"
#include "tests/references/network_reference.h"
#include "tests/references/network_rounding.h"
#include "tests/references/optimizer_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace hogwild {

/// Steps of constant size on layers without dropout, no L2. An entry of a gradient that is exactly 0 leaves its weight alone.
inline std::vector<Bounded> bounded_descent(const Plan& plan, const AnyView& view) {
    const auto& images = view.as<ImagesView>();
    const auto rows = static_cast<std::uint32_t>(view.rows());
    const Bounded size = Bounded::rounded(plan.step.size);
    std::vector<Bounded> weights;
    for (std::uint32_t j = 0; j < view.coordinates(); ++j)
        weights.push_back({double{ImageBatches::initial(images, plan.seed, j)}});
    const OptimizerSettings settings{.beta1 = plan.optimizer.beta1, .beta2 = plan.optimizer.beta2};
    std::vector<OptimizerReference> rules(weights.size(), {plan.optimizer.name, settings});
    OrderCursor cursor(plan.order, view, plan.seed);
    std::vector<std::uint32_t> order(rows);
    NetworkReference reference(images, {});
    std::uint64_t number = 0;
    for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
        fill(cursor, epoch, 0, rows, order.data());
        for (std::uint32_t first = 0; first < rows; first += plan.batch.size) {
            const std::uint32_t count = std::min(plan.batch.size, rows - first);
            std::vector<double> values;
            for (const Bounded& weight : weights) values.push_back(weight.value);
            reference.loss({order.begin() + first, order.begin() + first + count}, values);
            const std::vector<double> sums = reference.gradient(values);
            const double wrong = step_rounding(images.network(), count, 1);
            ++number;
            for (std::size_t j = 0; j < weights.size(); ++j)
                if (sums[j] != 0) weights[j] = weights[j] - size * rules[j].direction(number, {sums[j] / count, wrong});
        }
    }
    return weights;
}

/// The largest distance of a weight from its path, over its bound.
inline double furthest(const std::vector<float>& weights, const std::vector<Bounded>& path) {
    double most = 0;
    for (std::size_t j = 0; j < weights.size(); ++j)
        most = std::max(most, std::abs(double{weights[j]} - path[j].value) / path[j].error);
    return most;
}

} // namespace hogwild
