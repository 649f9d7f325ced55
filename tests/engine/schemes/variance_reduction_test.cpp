// Runs of svrg and saga.
#include "engine/error.h"
#include "engine/optimum/gradient.h"
#include "engine/optimum/optimum.h"
#include "engine/order/order.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "engine/record/evaluate.h"
#include "engine/schemes/kernels/corrected_model.h"
#include "tests/engine/schemes/reference.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Plan corrected_plan(const std::string& scheme, unsigned threads = 1, const std::string& problem = "logistic") {
    Plan plan = toy_plan(scheme, threads);
    plan.problem = problem;
    set_memory(plan, "host-fp64");
    plan.step.kind = "constant";
    plan.step.size = problem == "logistic" ? 0.3 : 0.08;
    plan.l2 = 1e-2;
    return plan;
}

/// The recursion itself, of one worker, in double: no chunks, no lanes.
std::vector<double> corrected_recursion(const Plan& plan, const SparseView& data) {
    const auto n = static_cast<double>(data.rows);
    std::vector<double> w(data.columns), slopes(data.rows), mean(data.columns), counts(data.columns);
    for (std::uint64_t i = 0; i < data.rows; ++i) data.row(i).for_each_coordinate([&](auto j) { counts[j] += 1; });
    const auto slope_of = [&](const SparseRow& row) {
        double margin = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) margin += w[row.index[k]] * row.value[k];
        return plan.problem == "logistic" ? -row.label / (1 + std::exp(row.label * margin)) : margin - row.label;
    };
    OrderCursor cursor(plan.order, data, plan.seed);
    std::vector<std::uint32_t> order(data.rows);
    for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
        if (plan.scheme == "svrg") {
            std::ranges::fill(mean, 0.0);
            for (std::uint64_t i = 0; i < data.rows; ++i) {
                const SparseRow row = data.row(i);
                slopes[i] = slope_of(row);
                for (std::uint32_t k = 0; k < row.size; ++k) mean[row.index[k]] += slopes[i] * row.value[k] / n;
            }
        }
        fill(cursor, epoch, 0, static_cast<std::uint32_t>(data.rows), order.data());
        for (const std::uint32_t i : order) {
            const SparseRow row = data.row(i);
            const double slope = slope_of(row), change = slope - slopes[i];
            for (std::uint32_t k = 0; k < row.size; ++k) {
                const std::uint32_t j = row.index[k];
                const double reach = plan.step.size * n / counts[j];
                const double u = w[j] - plan.step.size * change * row.value[k] - reach * mean[j];
                w[j] = std::copysign(std::max(std::abs(u) - reach * plan.l1, 0.0), u) / (1 + reach * plan.l2);
            }
            if (plan.scheme == "svrg") continue;
            for (std::uint32_t k = 0; k < row.size; ++k) mean[row.index[k]] += change * row.value[k] / n;
            slopes[i] = slope;
        }
    }
    return w;
}

} // namespace

TEST_CASE("one worker of svrg and saga walks the explicit recursion") {
    for (const std::string scheme : {"svrg", "saga"}) {
        for (const std::string problem : {"logistic", "squared"}) {
            for (const double l1 : {0.0, 3e-3}) {
                for (const std::string memory : {"host", "host-fp64"}) {
                    Plan plan = corrected_plan(scheme, 1, problem);
                    plan.l1 = l1;
                    set_memory(plan, memory);
                    CAPTURE(scheme + " " + problem + " " + memory);
                    CAPTURE(l1);
                    const Dataset data = crowded();
                    const double rounding = memory == "host" ? 2e-5 : 6e-8; // at last to floats
                    CHECK(distance(weights_of(plan, data), corrected_recursion(plan, data.sparse())) < rounding);
                }
            }
        }
    }
}

TEST_CASE("svrg and saga have the same bits on every instruction set") {
    for (const std::string scheme : {"svrg", "saga"}) {
        for (const std::string memory : {"host", "host-fp64"}) {
            Plan plan = corrected_plan(scheme);
            set_memory(plan, memory);
            plan.l1 = 1e-3;
            plan.lanes = "scalar";
            const std::vector<float> scalar = weights_of(plan, crowded());
            plan.lanes = "auto";
            CHECK(weights_of(plan, crowded()) == scalar);
        }
    }
}

TEST_CASE("where samples share no coordinate, any number of workers of svrg and saga gives one's result") { // oracle 7
    const Dataset data = disjoint();
    for (const std::string scheme : {"svrg", "saga"}) {
        CAPTURE(scheme);
        Plan plan = corrected_plan(scheme);
        plan.epochs = scheme == "svrg" ? 2 : 1; // workers of saga do not meet, and a sample would meet itself
        const std::vector<float> alone = weights_of(plan, data);
        CHECK(alone != std::vector<float>(alone.size(), 0.0f));
        for (const unsigned threads : {2u, 3u, 8u}) {
            plan.threads = threads;
            CHECK(weights_of(plan, data) == alone);
        }
    }
}

TEST_CASE("svrg and saga reach a certified gap of 1e-8 at a constant step, and SGD does not") {
    const Dataset data = crowded();
    for (const std::string problem : {"logistic", "squared"}) {
        for (const std::string scheme : {"svrg", "saga"}) {
            for (const unsigned threads : {1u, 3u}) {
                Plan plan = corrected_plan(scheme, threads, problem);
                plan.epochs = 60;
                plan.observations_per_epoch = 1;
                CAPTURE(scheme + " " + problem);
                CAPTURE(threads);
                const Outcome outcome = run(plan, {data});
                CHECK(outcome.status == "done");
                // A worker that lost its core writes a late step: with several, some observation is as near, not always the last.
                if (threads == 1) CHECK(relative_gap(outcome) < 1e-8);
                // The same of an independent solver.
                const Optimum best = solve(problem, data.sparse(), plan.l2, {.relative_gap = 1e-11});
                const Observation& last = outcome.observations.back();
                const double nearest =
                    threads == 1
                        ? last.train_loss
                        : std::ranges::min_element(outcome.observations, {}, &Observation::train_loss)->train_loss;
                CHECK(std::abs(nearest - best.value) < 1e-8 * (best.initial - best.value));
                set_memory(plan, "host"); // floats have a floor
                CHECK(relative_gap(run(plan, {data})) < 1e-6);
            }
        }
        Plan sgd = corrected_plan("serial", 1, problem);
        set_memory(sgd, "host");
        sgd.epochs = 60;
        sgd.observations_per_epoch = 1;
        CHECK(relative_gap(run(sgd, {data})) > 1e-4);
    }
}

TEST_CASE("with L1 the weights are the optimum's, and its zeros are zeros") {
    const Dataset data = crowded();
    for (const std::string problem : {"logistic", "squared"}) {
        for (const std::string scheme : {"svrg", "saga"}) {
            for (const unsigned threads : {1u, 3u}) {
                Plan plan = corrected_plan(scheme, threads, problem);
                plan.l1 = problem == "logistic" ? 0.01 : 0.02;
                plan.epochs = 80;
                plan.observations_per_epoch = 1;
                CAPTURE(scheme + " " + problem);
                CAPTURE(threads);
                const Outcome outcome = run(plan, {data});
                CHECK(relative_gap(outcome) < 1e-8);
                const std::vector<double> w(outcome.weights.begin(), outcome.weights.end());
                const std::vector<double> slopes = gradient(problem, data.sparse(), plan.l2, w);
                std::size_t zeros = 0;
                double norm = 0;
                for (std::size_t j = 0; j < w.size(); ++j) {
                    norm += std::abs(w[j]);
                    if (w[j] == 0) {
                        ++zeros;
                        CHECK(std::abs(slopes[j]) <= plan.l1 + 1e-5);
                    } else {
                        CHECK(slopes[j] + std::copysign(plan.l1, w[j]) == doctest::Approx(0).epsilon(1e-5));
                    }
                }
                CHECK(zeros > 2);
                CHECK(zeros < w.size());
                // What is observed has L1 in it.
                const double loss = evaluate(problem, data.sparse(), w).objective(plan.l2) + plan.l1 * norm;
                CHECK(outcome.observations.back().train_loss == doctest::Approx(loss).epsilon(1e-7));
                const Observation& before = outcome.observations[outcome.observations.size() - 2];
                CHECK(before.train_loss == doctest::Approx(loss).epsilon(1e-4));
            }
        }
    }
}

TEST_CASE("the bound with L1 is a gap of a problem in one dimension") {
    TestSamples samples;
    samples.columns = 1;
    samples.add(2.0f, {0}, {1.0f}); // F(w) = (w - 2)^2 / 2 + l2 / 2 w^2 + l1 |w|
    const double l2 = 0.5;
    for (const double l1 : {0.0, 0.5, 3.0}) {
        const double best = std::max(2 - l1, 0.0) / (1 + l2);
        const auto loss = [&](double w) { return 0.5 * (w - 2) * (w - 2) + 0.5 * l2 * w * w + l1 * std::abs(w); };
        for (const double w : {-1.0, 0.0, 0.3, best, 2.0, 5.0}) {
            const double weights[] = {w};
            const double bound = gradient_bound("squared", samples.view(), l2, weights, l1);
            CHECK(bound >= loss(w) - loss(best) - 1e-15);
            if (w == best) CHECK(bound < 1e-15);
            // Term by term: r(w) + w v + r*(-v).
            const double v = w - 2, conjugate = std::pow(std::max(std::abs(v) - l1, 0.0), 2) / (2 * l2);
            CHECK(bound == doctest::Approx(0.5 * l2 * w * w + l1 * std::abs(w) + w * v + conjugate));
        }
    }
}

TEST_CASE("a coordinate stands for the samples of which one has it") {
    TestSamples samples; // 64 samples; column j in every 2^j-th, the last in none
    samples.columns = 8;
    for (std::uint32_t i = 0; i < 64; ++i) {
        std::vector<std::uint32_t> columns;
        for (std::uint32_t j = 0; j < 7; ++j) {
            if (i % (1u << j) == 0) columns.push_back(j);
        }
        samples.add(1.0f, columns, std::vector<float>(columns.size(), 1.0f));
    }
    const Dataset data = toy_dataset(std::move(samples));
    const Plan plan = corrected_plan("saga");
    ToyJob toy(plan, data.view());
    const CorrectedModel<float> model(toy.job);
    std::vector<double> sums(8);
    for (std::uint64_t i = 0; i < 64; ++i)
        data.sparse().row(i).for_each_coordinate([&](std::uint32_t j) { sums[j] += model.memory().spread[j]; });
    for (std::uint32_t j = 0; j < 7; ++j) CHECK(sums[j] == 64); // whatever vector D is multiplied with: n times it
    CHECK(model.memory().spread[7] == 0);
}

TEST_CASE("svrg and saga take fewer samples than workers, and stop when they are told") {
    for (const std::string scheme : {"svrg", "saga"}) {
        Plan plan = corrected_plan(scheme, 4);
        const Dataset few = toy_dataset(random_samples(3, 10, 4, 2));
        CHECK(run(plan, {few}).status == "done");
        const std::atomic<bool> interrupt{true};
        CHECK(run(plan, {.train = crowded(), .interrupt = &interrupt}).status == "interrupted");
    }
}

TEST_CASE("workers of svrg meet, those of saga do not") {
    const Outcome svrg = run(corrected_plan("svrg", 3), {crowded()}),
                  saga = run(corrected_plan("saga", 3), {crowded()});
    CHECK(svrg.wait_seconds >= 0);
    CHECK(std::isnan(saga.wait_seconds));
    CHECK(svrg.updates == 4'000); // steps; slopes at anchors are not counted
    CHECK(saga.updates == 4'000);
}

TEST_CASE("what svrg and saga cannot do is refused with a reason") {
    Plan plan = corrected_plan("saga");
    CHECK(why_not(plan).empty());
    plan.problem = "hinge";
    CHECK(why_not(plan).starts_with("hinge has a kink"));
    plan.problem = "factorization";
    CHECK(why_not(plan).starts_with("saga remembers one slope of each sparse row"));
    plan = corrected_plan("svrg");
    plan.telemetry = "sampled";
    CHECK(why_not(plan).starts_with("svrg has no probes"));
    plan = corrected_plan("svrg");
    plan.step.kind = "backoff";
    CHECK(why_not(plan).starts_with("svrg needs no smaller steps"));
    plan = corrected_plan("svrg");
    plan.delay = 1e-6;
    CHECK(why_not(plan) == "svrg has no step that is delayed; use --delay 0");
    plan = corrected_plan("svrg");
    set_memory(plan, "managed");
    CHECK(why_not(plan) == "svrg keeps slopes in ordinary memory; use --memory host");
    plan = toy_plan("hogwild");
    set_memory(plan, "host-fp64");
    CHECK(why_not(plan).starts_with("steps of hogwild are on floats"));
    set_memory(plan, "host");
    plan.l1 = 0.1;
    CHECK(why_not(plan) == "steps of hogwild know no L1, svrg and saga have proximal ones; use --l1 0");
    plan.l1 = -1;
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("--l1"), Error);
    CHECK(why_not_go_on(corrected_plan("saga")) == "what saga remembers of its samples is in no snapshot");
}

TEST_CASE("L1 is a field of plans that take it") {
    Plan plan = corrected_plan("saga");
    plan.l1 = 0.25;
    CHECK(plan_of(fields(plan)).l1 == 0.25);
    for (const auto& [name, text] : fields(toy_plan("serial"))) CHECK(name != "l1");
}
