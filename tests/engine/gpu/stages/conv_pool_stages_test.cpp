// A GPU's stages of speeding up one convolution with subsampling take the step of the formula.
#include "engine/error.h"
#include "tests/device.h"
#include "tests/references/conv_pool_checks.h"

#include <vector>

using namespace hogwild;

namespace {

/// Padding, lines that fill no window, one channel and many, few filters and many, blocks of either that are not full, one image.
const std::vector<ConvPoolShape> kShapes{{5, 8, 8, 1, 6, 5, 0, 2, false},    {3, 6, 7, 3, 5, 3, 1, 2, true},
                                         {9, 7, 6, 1, 33, 3, 1, 2, true},    {2, 7, 13, 6, 16, 5, 2, 2, true},
                                         {2, 8, 17, 2, 70, 3, 1, 2, true},   {2, 10, 10, 36, 6, 3, 1, 2, true},
                                         {1, 14, 14, 32, 64, 3, 1, 2, true}, {300, 12, 12, 6, 16, 5, 0, 2, true}};

} // namespace

TEST_CASE("where sums are exact every stage of a GPU takes the very step of the formula, ties and all") {
    if (no_device()) return;
    for (const ConvPoolShape& shape : kShapes) {
        CAPTURE(&shape - kShapes.data());
        const ConvPoolProblem problem = exact_problem(shape);
        const ConvPoolReference reference = conv_pool_reference(problem);
        for (const auto& stage : gpu_conv_pool_stages(problem.input())) {
            stage->step(problem.samples.data(), problem.step_size, nullptr);
            check_exact(*stage, problem, reference);
        }
    }
}

TEST_CASE("of real numbers every stage of a GPU is as near to the formula as float allows, step after step") {
    if (no_device()) return;
    unsigned checked = 0;
    for (const ConvPoolShape& shape : kShapes) {
        CAPTURE(&shape - kShapes.data());
        const ConvPoolProblem first = real_problem(shape);
        for (const auto& stage : gpu_conv_pool_stages(first.input())) {
            ConvPoolProblem problem = first;
            for (const float step_size : {0.25f, 0.125f}) {
                problem.step_size = step_size;
                const ConvPoolReference reference = conv_pool_reference(problem);
                stage->step(problem.samples.data(), step_size, nullptr);
                if (reference.narrowest > 1) { // else rounding may change who wins
                    check_near(*stage, problem, reference);
                    ++checked;
                }
                problem.weights = stage->weights();
            }
        }
    }
    CHECK(checked >= 5 * 4); // shapes whose winners are safe at the first step, by stages
}

TEST_CASE("many steps in a row come to the same with and without slots, captured or not") {
    if (no_device()) return;
    const ConvPoolProblem problem = real_problem(kShapes[3]);
    const ConvPoolStages stages = gpu_conv_pool_stages(problem.input());
    std::vector<std::vector<float>> weights;
    for (const auto& stage : stages) {
        if (stage->name() == "gpu-unfused") continue;
        for (int step = 0; step < 40; ++step) stage->step(problem.samples.data(), 0.001f, nullptr);
        weights.push_back(stage->weights());
    }
    REQUIRE(weights.size() == 3);
    CHECK(weights[1] == weights[0]);
    CHECK(weights[2] == weights[0]);
}

TEST_CASE("a shape that a GPU has no code for is refused, not computed otherwise") {
    if (no_device()) return;
    for (const ConvPoolShape& shape : {ConvPoolShape{2, 8, 8, 1, 4, 4, 0, 2, false}, {2, 9, 9, 1, 4, 3, 0, 3, false}}) {
        const ConvPoolProblem problem = exact_problem(shape);
        CHECK_THROWS_WITH_AS(gpu_conv_pool_stages(problem.input()), doctest::Contains("no GPU stage for 4 filters"),
                             Error);
    }
}
