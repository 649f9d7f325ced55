// Whether a stage's step (engine/stages) is that of plain loops in double (tests/references/conv_pool_reference.h). For tests.
#pragma once

#include "tests/references/conv_pool_reference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace hogwild {

/// For a problem whose sums are exact: to the bit.
inline void check_exact(const ConvPoolStage& stage, const ConvPoolProblem& problem,
                        const ConvPoolReference& reference) {
    CAPTURE(stage.name());
    const auto same = [](const std::vector<float>& values, const std::vector<BoundedSum>& expected) {
        return std::equal(values.begin(), values.end(), expected.begin(), expected.end(),
                          [](float value, const BoundedSum& sum) { return value == sum.value; });
    };
    CHECK(same(stage.pooled(), reference.pooled));
    CHECK(same(stage.input_slopes(), reference.input_slopes));
    std::vector<BoundedSum> weights;
    for (std::uint32_t k = 0; k < problem.shape.weights(); ++k)
        weights.push_back({problem.weights[k] - double{problem.step_size} * reference.gradient[k].value, 0});
    CHECK(same(stage.weights(), weights));
}

inline void check_bounds(const std::vector<float>& values, const std::vector<BoundedSum>& expected, double roundings) {
    REQUIRE(values.size() == expected.size());
    std::size_t far = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
        far += std::abs(values[k] - expected[k].value) <= expected[k].bound(roundings) ? 0 : 1;
    CHECK(far == 0);
}

/// For real numbers: as near as float allows. A product and an addition each round once; a sum is of so many terms, in
// any order.
inline void check_near(const ConvPoolStage& stage, const ConvPoolProblem& problem, const ConvPoolReference& reference) {
    CAPTURE(stage.name());
    const ConvPoolShape& shape = problem.shape;
    const double forward = 2 * (shape.depth() + 1), windows = shape.pooled_height() * shape.pooled_width(),
                 back = 2.0 * shape.filters * shape.kernel * shape.kernel, gradient = 2 * shape.images * (windows + 1);
    std::vector<BoundedSum> weights;
    for (std::uint32_t k = 0; k < shape.weights(); ++k) {
        BoundedSum sum = reference.gradient[k];
        sum.value *= -problem.step_size;
        sum.magnitude *= problem.step_size;
        sum.add(problem.weights[k]);
        weights.push_back(sum);
    }
    check_bounds(stage.pooled(), reference.pooled, forward);
    check_bounds(stage.input_slopes(), reference.input_slopes, back);
    check_bounds(stage.weights(), weights, gradient + 2 + shape.images);
}

} // namespace hogwild
