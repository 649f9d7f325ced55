// Stages of speeding up one convolution with subsampling (engine/stages) take the same step.
#include "engine/stages/cpu_stage.h"
#include "tests/references/conv_pool_checks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// Every stage for every instruction set of this processor; with one worker where there are several.
ConvPoolStages every_stage(const ConvPoolInput& input) {
    ConvPoolStages stages;
    stages.push_back(make_plain_stage(input));
    for (std::uint32_t set = 0; set <= static_cast<std::uint32_t>(best_instruction_set()); ++set) {
        const auto instruction_set = static_cast<InstructionSet>(set);
        stages.push_back(make_vectorised_stage(input, instruction_set));
        stages.push_back(make_fused_stage(input, instruction_set));
        stages.push_back(make_buffered_stage(input, instruction_set));
        stages.push_back(make_tuned_stage(input, instruction_set, 1));
    }
    return stages;
}

/// Padding, lines that fill no window, windows of 1 to 3 places a side, one channel and many, few filters and many, one image.
const std::vector<ConvPoolShape> kShapes{
    {5, 8, 8, 1, 6, 5, 0, 2, false},   {3, 6, 7, 3, 5, 3, 1, 2, true},   {4, 9, 8, 2, 17, 3, 0, 3, true},
    {9, 7, 6, 1, 33, 3, 1, 2, true},   {1, 5, 5, 40, 4, 2, 1, 1, true},  {2, 11, 9, 1, 3, 4, 0, 3, false},
    {18, 6, 6, 4, 9, 1, 0, 2, true},   {2, 7, 13, 6, 16, 5, 2, 2, true}, {2, 8, 17, 2, 70, 3, 1, 2, true},
    {2, 10, 10, 32, 6, 3, 1, 2, true}, {2, 9, 9, 9, 6, 7, 1, 2, true},   {1, 4, 30, 1, 40, 2, 0, 2, false}};

} // namespace

TEST_CASE("where sums are exact every stage takes the very step of the formula, ties and all") {
    for (const ConvPoolShape& shape : kShapes) {
        CAPTURE(&shape - kShapes.data());
        const ConvPoolProblem problem = exact_problem(shape);
        const ConvPoolReference reference = conv_pool_reference(problem);
        for (const auto& stage : every_stage(problem.input())) {
            stage->step(problem.samples.data(), problem.step_size, nullptr);
            stage->finish();
            check_exact(*stage, problem, reference);
        }
    }
}

TEST_CASE("a second step begins where the first one ended") {
    const ConvPoolProblem problem = exact_problem(kShapes[1]);
    for (const auto& stage : every_stage(problem.input())) {
        stage->step(problem.samples.data(), problem.step_size, nullptr);
        ConvPoolProblem second = problem;
        second.weights = stage->weights();
        std::ranges::reverse(second.samples);
        stage->step(second.samples.data(), second.step_size, nullptr);
        check_exact(*stage, second, conv_pool_reference(second));
    }
}

TEST_CASE("of real numbers every stage is as near to the formula as float allows") {
    for (const ConvPoolShape& shape : kShapes) {
        CAPTURE(&shape - kShapes.data());
        ConvPoolProblem problem = real_problem(shape);
        const ConvPoolReference reference = conv_pool_reference(problem);
        REQUIRE(reference.narrowest > 1); // rounding cannot change who wins
        for (const auto& stage : every_stage(problem.input())) {
            stage->step(problem.samples.data(), problem.step_size, nullptr);
            check_near(*stage, problem, reference);
        }
    }
}

TEST_CASE("from vectorised on stages have the same bits of pooled maps, on every instruction set") {
    for (const ConvPoolShape& shape : kShapes) {
        const ConvPoolProblem problem = real_problem(shape);
        const ConvPoolStages stages = every_stage(problem.input());
        std::vector<float> expected;
        for (std::size_t k = 1; k < stages.size(); ++k) {
            CAPTURE(stages[k]->name());
            stages[k]->step(problem.samples.data(), problem.step_size, nullptr);
            if (k == 1) expected = stages[k]->pooled();
            CHECK(stages[k]->pooled() == expected);
        }
    }
}

TEST_CASE("parts are of a step and no more than it, and a fused stage has none for pooling") {
    const ConvPoolProblem problem = exact_problem(kShapes[3]);
    for (const auto& stage : cpu_conv_pool_stages(problem.input())) {
        CAPTURE(stage->name());
        ConvPoolParts parts;
        const auto start = std::chrono::steady_clock::now();
        stage->step(problem.samples.data(), problem.step_size, &parts);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        for (const double part : {parts.load, parts.convolution, parts.backward, parts.update}) CHECK(part > 0);
        CHECK((parts.pooling > 0) == (stage->name() == "plain" || stage->name() == "vectorised"));
        CHECK(parts.sum() <= seconds);
    }
}

TEST_CASE("each stage moves no more than the one before, and no less than it must") {
    const ConvPoolProblem problem = exact_problem({64, 28, 28, 1, 6, 5, 0, 2, false});
    std::vector<std::string> names;
    std::uint64_t before = UINT64_MAX;
    for (const auto& stage : cpu_conv_pool_stages(problem.input())) {
        names.emplace_back(stage->name());
        CHECK(stage->bytes_moved() >= problem.shape.least_bytes());
        if (stage->name() != "tuned")
            CHECK(stage->bytes_moved() <= before); // a worker more adds to the weights once more
        before = stage->bytes_moved();
    }
    names.resize(5);
    CHECK(names == std::vector<std::string>{"plain", "vectorised", "fused", "buffered", "tuned-1"});
}

TEST_CASE("lock-free workers' maps and slopes are exact, and weights hold whole increments of some of them") {
    const ConvPoolProblem problem = exact_problem(kShapes[6]);
    const ConvPoolReference all = conv_pool_reference(problem);
    std::vector<ConvPoolReference> halves;
    for (const std::uint32_t from : {0u, problem.shape.images / 2}) {
        ConvPoolProblem half = problem;
        half.shape.images = problem.shape.images / 2;
        half.samples.erase(half.samples.begin(), half.samples.begin() + from);
        half.pooled_slopes.erase(half.pooled_slopes.begin(),
                                 half.pooled_slopes.begin() + from * problem.shape.pooled_size());
        halves.push_back(conv_pool_reference(half));
    }
    const auto stage = make_tuned_stage(problem.input(), best_instruction_set(), 2);
    stage->step(problem.samples.data(), problem.step_size, nullptr);
    const auto same = [](float value, const BoundedSum& sum) { return value == sum.value; };
    const std::vector<float> pooled = stage->pooled(), slopes = stage->input_slopes(), weights = stage->weights();
    CHECK(std::ranges::equal(pooled, all.pooled, same));
    CHECK(std::ranges::equal(slopes, all.input_slopes, same));
    std::size_t strange = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const double first = -problem.step_size * halves[0].gradient[k].value,
                     second = -problem.step_size * halves[1].gradient[k].value, moved = weights[k] - problem.weights[k];
        strange += moved == first || moved == second || moved == first + second ? 0 : 1;
    }
    CHECK(strange == 0);
}
