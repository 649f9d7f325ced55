// Optimisers beside plain loops in double that are written from their papers, and the laws of a step on rows.
#include "kernels/network/layers/optimizer_step.h"

#include "kernels/catalog.h"
#include "kernels/numbers/random.h"
#include "tests/references/optimizer_reference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <latch>
#include <string_view>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kSize = 37; // not a multiple of any vector

float drawn(std::uint32_t i, std::uint32_t stream) { return unit_float(philox({i, stream, 0, 0}, {7, 5})[0]) - 0.5f; }

/// A state of so many coordinates, beginning at 0.
struct Memory {
    Memory(std::string_view name, std::uint32_t size, const OptimizerSettings& settings = {})
        : apart((size + 15) / 16 * 16), numbers(2 * apart + 16) {
        const auto begin = reinterpret_cast<std::uintptr_t>(numbers.data());
        float* const aligned = numbers.data() + (64 - begin % 64) % 64 / sizeof(float);
        state = {catalog::find<Optimizers>(name), settings, aligned, apart, &steps};
    }

    std::size_t apart;
    std::vector<float> numbers;
    std::atomic<std::uint64_t> steps{0};
    OptimizerState state;
};

/// Least squares of `kRows` samples, whose summed gradient is that of a batch.
struct Regression {
    static constexpr std::uint32_t kRows = 50;

    static float input(std::uint32_t i, std::uint32_t j) { return drawn(i * kSize + j, 1); }
    static float label(std::uint32_t i) { return drawn(i, 2); }

    template <class Real>
    static std::vector<Real> summed_gradient(const std::vector<Real>& weights) {
        std::vector<Real> sum(kSize);
        for (std::uint32_t i = 0; i < kRows; ++i) {
            Real residual = -label(i);
            for (std::uint32_t j = 0; j < kSize; ++j) residual += input(i, j) * weights[j];
            for (std::uint32_t j = 0; j < kSize; ++j) sum[j] += residual * input(i, j);
        }
        return sum;
    }

    static double loss(const std::vector<double>& weights) {
        double sum = 0;
        for (std::uint32_t i = 0; i < kRows; ++i) {
            double residual = -label(i);
            for (std::uint32_t j = 0; j < kSize; ++j) residual += input(i, j) * weights[j];
            sum += 0.5 * residual * residual / kRows;
        }
        return sum;
    }
};

/// f(name, settings) for every optimiser, with settings that are not the usual ones.
void for_each_optimizer(const auto& f) {
    for (const std::string_view name : catalog::names<Optimizers>) {
        CAPTURE(name);
        f(name, OptimizerSettings{.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-6, .sharers = 3});
    }
}

template <class Lanes>
void turn(const OptimizerState& state, std::vector<float>& row, std::uint64_t step) {
    OptimizerStep(&state, step, 4).turn<Lanes>(row.data(), 0, static_cast<std::uint32_t>(row.size()));
}

} // namespace

TEST_CASE("plain SGD alone keeps nothing of a coordinate") {
    for (std::size_t kind = 0; kind < std::variant_size_v<Optimizers>; ++kind) {
        CAPTURE(kind);
        const std::uint32_t numbers =
            with_optimizer(kind, []<class Rule>(std::in_place_type_t<Rule>) { return Rule::kNumbers; });
        CHECK(is_plain_sgd(kind) == (numbers == 0));
    }
}

TEST_CASE("every optimiser walks the path of its papers' formula, in double, over a regression") {
    for_each_optimizer([](std::string_view name, const OptimizerSettings& settings) {
        Memory memory(name, kSize, settings);
        std::vector<OptimizerReference> references(kSize, {name, settings});
        std::vector<float> weights(kSize, 0.25f);
        std::vector<double> exact(kSize, 0.25);
        const double before = Regression::loss(exact);
        const double size = name == "sgd" || name == "delayed-nesterov" ? 1
                            : name.ends_with("m") || name[0] == 'n'     ? 0.1
                                                                        : 0.02;
        for (std::uint64_t t = 1; t <= 60; ++t) {
            std::vector<float> row = Regression::summed_gradient(weights);
            const OptimizerStep step = OptimizerStep::next(&memory.state, Regression::kRows);
            step.turn<ScalarLanes>(row.data(), 0, kSize);
            const std::vector<double> gradient = Regression::summed_gradient(exact);
            for (std::uint32_t j = 0; j < kSize; ++j) {
                weights[j] += static_cast<float>(step.factor(size)) * row[j];
                exact[j] -= size * references[j].direction(t, {gradient[j] / Regression::kRows}).value;
                CHECK(weights[j] == doctest::Approx(exact[j]).epsilon(2e-4));
            }
        }
        CHECK(Regression::loss(exact) < 0.8 * before);
        CHECK(memory.steps.load() == 60);
    });
}

TEST_CASE("every optimiser's directions are its papers', up to what its own operations round") {
    for_each_optimizer([](std::string_view name, const OptimizerSettings& settings) {
        Memory memory(name, kSize, settings);
        std::vector<OptimizerReference> references(kSize, {name, settings});
        for (std::uint64_t t = 1; t <= 60; ++t) {
            std::vector<float> row(kSize);
            for (std::uint32_t j = 0; j < kSize; ++j) row[j] = drawn(j, 100 + static_cast<std::uint32_t>(t));
            const std::vector<float> sums = row;
            turn<ScalarLanes>(memory.state, row, t);
            for (std::uint32_t j = 0; j < kSize; ++j) {
                const Bounded direction = references[j].direction(t, {double{sums[j]} / 4}); // exact: of four samples
                CHECK(std::abs(row[j] - direction.value) <= direction.error);
                CHECK(direction.error < 2e-5 * (std::abs(direction.value) + 1)); // so that the bound says something
            }
        }
    });
}

TEST_CASE("adam goes as far as one history of gradients can make it, and from numbers of two histories no farther") {
    OptimizerSettings settings;
    for (const double beta1 : {0.5, 0.8, 0.9}) {
        settings.beta1 = beta1;
        for (const std::uint64_t last : {1u, 2u, 10u, 100u}) {
            CAPTURE(beta1);
            CAPTURE(last);
            const double reach = Adam::longest(settings, last);
            // Where Cauchy and Schwarz are equal: a gradient goes as its weight in m over that in s.
            float m = 0, s = 0, direction = 0;
            for (std::uint64_t t = 1; t <= last; ++t) {
                const double gradient = 100 * std::pow(beta1 / settings.beta2, static_cast<double>(last - t));
                direction = Adam(settings, t)(static_cast<float>(gradient), m, s);
            }
            CHECK(direction == doctest::Approx(reach).epsilon(1e-4));
            // An m whose square another worker has not written yet, or has overwritten.
            for (const float sign : {1.0f, -1.0f}) {
                float torn = sign, none = 0;
                CHECK(Adam(settings, last)(0, torn, none) == doctest::Approx(sign * reach).epsilon(2e-3));
            }
        }
    }
    settings.beta1 = 0.5;
    settings.beta2 = 0.25; // beta1^2 = beta2
    CHECK(std::isinf(Adam::longest(settings, 3)));
    settings.beta2 = 0;
    CHECK(std::isinf(Adam::longest(settings, 3)));
}

TEST_CASE("without a state a row stays the sum of its gradients, to be divided by the samples") {
    std::vector<float> row{1, -2, 0};
    const OptimizerStep step = OptimizerStep::next(nullptr, 4);
    step.turn<ScalarLanes>(row.data(), 0, 3);
    CHECK(row == std::vector<float>{1, -2, 0});
    CHECK(step.factor(0.5) == -0.125);
}

TEST_CASE("no step of several workers on one state goes uncounted") {
    constexpr std::uint64_t kSteps = 2'000'000;
    Memory memory("adam", kSize);
    std::vector<std::thread> workers;
    std::latch together(4);
    for (int w = 0; w < 4; ++w) {
        workers.emplace_back([&] {
            together.arrive_and_wait();
            for (std::uint64_t t = 0; t < kSteps; ++t) OptimizerStep::next(&memory.state, 1);
        });
    }
    for (std::thread& worker : workers) worker.join();
    CHECK(memory.steps.load() == 4 * kSteps);
}

TEST_CASE("nesterov is delayed-nesterov of one worker, bit by bit") {
    Memory of(std::string_view("nesterov"), kSize), delayed(std::string_view("delayed-nesterov"), kSize);
    for (std::uint64_t t = 1; t <= 5; ++t) {
        std::vector<float> a(kSize), b;
        for (std::uint32_t j = 0; j < kSize; ++j) a[j] = drawn(j, 10 + static_cast<std::uint32_t>(t));
        b = a;
        turn<ScalarLanes>(of.state, a, t);
        turn<ScalarLanes>(delayed.state, b, t);
        CHECK(a == b);
    }
}

TEST_CASE("coordinates that a step leaves out keep their numbers, and find them when they come again") {
    for_each_optimizer([](std::string_view name, const OptimizerSettings& settings) {
        Memory memory(name, 48, settings), alone(name, 16, settings);
        for (std::uint64_t t = 1; t <= 6; ++t) { // [16, 32) at odd steps only
            std::vector<float> row(16), same;
            for (std::uint32_t j = 0; j < 16; ++j) row[j] = drawn(j, 20 + static_cast<std::uint32_t>(t));
            same = row;
            const std::vector<float> before = memory.numbers;
            const std::size_t at = t % 2 == 1 ? 16 : 32;
            OptimizerStep(&memory.state, t, 4).turn<ScalarLanes>(row.data(), at, 16);
            for (std::size_t k = 0; k < memory.numbers.size(); ++k) {
                const std::size_t from = static_cast<std::size_t>(memory.state.numbers - memory.numbers.data());
                const std::size_t j = k >= from ? (k - from) % memory.apart : 0;
                if (k < from || j < at || j >= at + 16) CHECK(memory.numbers[k] == before[k]);
            }
            if (t % 2 == 0) continue;
            turn<ScalarLanes>(alone.state, same, t); // which has seen odd steps alone
            CHECK(row == same);
        }
    });
}

TEST_CASE("every instruction set turns rows into the same bits, for sizes 1 to 150, and writes nothing beyond") {
    for_each_optimizer([](std::string_view name, const OptimizerSettings& settings) {
        for (std::uint32_t size = 1; size <= 150; size += size < 70 ? 1 : 16) {
            const auto after = [&]<class Lanes>(std::in_place_type_t<Lanes>) {
                Memory memory(name, 160, settings);
                for (std::size_t k = 0; k < 2 * memory.apart; ++k) // others' numbers
                    if (const std::size_t j = k % memory.apart; j < 5 || j >= 5 + size) memory.state.numbers[k] = 7;
                std::vector<float> rows;
                for (std::uint64_t t = 1; t <= 4; ++t) {
                    std::vector<float> row(size + 4);
                    for (std::uint32_t j = 0; j < row.size(); ++j)
                        row[j] = j % 7 == 3 ? 0.0f : 100 * drawn(j, 30 + static_cast<std::uint32_t>(t));
                    const std::vector<float> canary(row.end() - 4, row.end());
                    OptimizerStep(&memory.state, t, 3).turn<Lanes>(row.data(), 5, size);
                    CHECK(std::equal(canary.begin(), canary.end(), row.end() - 4));
                    rows.insert(rows.end(), row.begin(), row.end());
                }
                rows.insert(rows.end(), memory.state.numbers, memory.state.numbers + 2 * memory.apart);
                return rows;
            };
            const std::vector<float> scalar = after(std::in_place_type<ScalarLanes>);
#if HOGWILD_VECTOR_LANES
            if (best_instruction_set() >= InstructionSet::kAvx2) CHECK(after(std::in_place_type<Avx2Lanes>) == scalar);
            if (best_instruction_set() >= InstructionSet::kAvx512)
                CHECK(after(std::in_place_type<Avx512Lanes>) == scalar);
#endif
            CHECK(std::isfinite(scalar[0]));
        }
    });
}

TEST_CASE("at a gradient of zero every optimiser but one with momentum stands still, and none divides by zero") {
    for_each_optimizer([](std::string_view name, const OptimizerSettings& settings) {
        Memory memory(name, 16, settings);
        std::vector<float> row(16, 0.0f);
        turn<ScalarLanes>(memory.state, row, 1);
        CHECK(row == std::vector<float>(16, 0.0f));
        row.assign(16, 2.0f);
        turn<ScalarLanes>(memory.state, row, 2);
        row.assign(16, 0.0f);
        turn<ScalarLanes>(memory.state, row, 3);
        const bool moves = name == "momentum" || name.ends_with("nesterov") || name == "adam";
        CHECK((row[0] > 0) == moves);
    });
}
