// Runs of columns.
#include "engine/optimum/gradient.h"
#include "engine/optimum/optimum.h"
#include "engine/order/order.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "engine/schemes/column_descent.h"
#include "tests/engine/schemes/reference.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

Plan columns_plan(unsigned threads = 1, const std::string& problem = "logistic", const std::string& update = "racy") {
    Plan plan = toy_plan("columns", threads);
    plan.problem = problem;
    plan.update = update;
    plan.step.kind = "constant";
    plan.step.size = 1;
    plan.l2 = 1e-2;
    return plan;
}

/// The recursion itself, of one worker, in double, margins computed anew at every step.
std::vector<double> column_recursion(const Plan& plan, const SparseView& data) {
    const auto n = static_cast<double>(data.rows);
    std::vector<double> w(data.columns);
    OrderCursor cursor(single_order(plan.order, data.columns, plan.seed));
    std::vector<std::uint32_t> order(data.columns);
    for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
        fill(cursor, epoch, 0, data.columns, order.data());
        for (const std::uint32_t j : order) {
            double along = plan.l2 * w[j], bends = plan.l2;
            for (std::uint64_t i = 0; i < data.rows; ++i) {
                const SparseRow row = data.row(i);
                double margin = 0, x = 0;
                for (std::uint32_t k = 0; k < row.size; ++k) {
                    margin += w[row.index[k]] * double{row.value[k]};
                    if (row.index[k] == j) x = double{row.value[k]};
                }
                with_linear_problem(plan.problem, [&]<class Problem>(Problem) {
                    along += Problem::slope(margin, double{row.label}) * x / n;
                    bends += Problem::curvature * x * x / n;
                });
            }
            if (bends > 0) w[j] -= plan.step.size * along / bends;
        }
    }
    return w;
}

/// Three columns of signs for four samples each, which no other columns have: whoever meets in a block, no digit is lost.
Dataset exact_blocks(std::uint32_t blocks) {
    TestSamples samples;
    samples.columns = 3 * blocks;
    for (std::uint32_t b = 0; b < blocks; ++b) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            samples.add(i == b % 4 ? 1.0f : -1.0f, {3 * b, 3 * b + 1, 3 * b + 2},
                        {1.0f, i < 2 ? 1.0f : -1.0f, i == 3 ? -1.0f : 1.0f});
        }
    }
    return toy_dataset(std::move(samples));
}

} // namespace

TEST_CASE("one worker on columns walks the explicit recursion, under either policy") {
    for (const std::string problem : {"logistic", "squared"}) {
        for (const std::string order : {"permutation", "replacement", "stored"}) {
            for (const double l2 : {0.0, 1e-2}) {
                for (const std::string memory : {"host", "host-fp64"}) {
                    Plan plan = columns_plan(1, problem);
                    plan.order = order;
                    plan.l2 = l2;
                    set_memory(plan, memory);
                    plan.step.size = 0.9;
                    CAPTURE(problem + " " + order + " " + memory);
                    const Dataset data = toy_dataset(random_samples(300, 40, 6, 1));
                    const std::vector<float> weights = weights_of(plan, data);
                    // Floats: each of 160 steps rounds sixteen lanes of a sum, and descent keeps what was added from growing.
                    CHECK(distance(weights, column_recursion(plan, data.sparse())) < (memory == "host" ? 2e-5 : 1e-6));
                    plan.update = "atomic";
                    CHECK(weights_of(plan, data) == weights);
                    plan.lanes = "scalar";
                    CHECK(weights_of(plan, data) == weights);
                }
            }
        }
    }
}

TEST_CASE("where no sample has two columns, any number of workers gives the same bits, and squared loss its minimum") {
    TestSamples samples;
    samples.columns = 200;
    TestNumbers numbers(5);
    for (std::uint32_t i = 0; i < 1'500; ++i)
        samples.add(numbers.number(), {numbers.bits() % 199}, {numbers.bits() % 2 == 0 ? 0.5f : -2.0f});
    const Dataset data = toy_dataset(std::move(samples));
    for (const std::string problem : {"squared", "logistic"}) {
        Plan plan = columns_plan(1, problem);
        plan.epochs = 1; // a coordinate meets itself in the next epoch, perhaps at another worker
        const std::vector<float> alone = weights_of(plan, data);
        for (const unsigned threads : {2u, 3u, 8u}) {
            for (const std::string update : {"racy", "atomic"}) {
                plan.threads = threads;
                plan.update = update; // of powers of two a margin computed anew is the one that was added to
                CHECK(weights_of(plan, data) == alone);
            }
        }
        if (problem == "logistic") continue;
        const std::vector<double> w(alone.begin(), alone.end());
        for (const double along : gradient(problem, data.sparse(), plan.l2, w)) CHECK(std::abs(along) < 1e-6);
        CHECK(alone[199] == 0); // no sample has it
    }
}

TEST_CASE("atomic margins are those of the weights when all are done, to the last bit where no sum is rounded") {
    const Dataset data = exact_blocks(200);
    for (const unsigned threads : {1u, 2u, 8u}) {
        Plan plan = columns_plan(threads, "squared", "atomic");
        plan.l2 = 0;
        plan.epochs = 1;
        ToyJob toy(plan, data.view());
        ColumnDescent<float> descent(toy.job);
        descent.run();
        std::uint64_t moved = 0;
        for (std::uint64_t i = 0; i < data.sparse().rows; ++i) {
            const SparseRow row = data.sparse().row(i);
            CHECK(descent.model().margins[i] == ScalarLanes::dot(toy.buffer.data(), row));
            moved += descent.model().margins[i] != 0;
        }
        CHECK(moved > data.sparse().rows / 2);
    }
}

TEST_CASE("columns come to the certified optimum that rows have") {
    const Dataset data = crowded();
    for (const std::string problem : {"logistic", "squared"}) {
        const Optimum best = solve(problem, data.sparse(), 1e-2, {.relative_gap = 1e-12});
        for (const std::string memory : {"host", "host-fp64"}) {
            Plan plan = columns_plan(1, problem);
            set_memory(plan, memory);
            plan.epochs = 60;
            plan.observations_per_epoch = 1;
            const Outcome outcome = run(plan, {data});
            CAPTURE(problem + " " + memory);
            CHECK(outcome.status == "done");
            CHECK(relative_gap(outcome) < (memory == "host" ? 1e-8 : 1e-13));
            const Observation& last = outcome.observations.back();
            CHECK(std::abs(last.train_loss - best.value) < 1e-9 * (best.initial - best.value));
            for (std::size_t k = 1; k < 10; ++k) // each step descends
                CHECK(outcome.observations[k].train_loss < outcome.observations[k - 1].train_loss);
        }
    }
}

TEST_CASE("an epoch of columns counts as one of samples, however many of either there are") {
    for (const auto& [rows, columns] : {std::pair{1'000u, 7u}, {700u, 3'000u}, {3u, 50u}, {1u, 1u}, {600u, 1u}}) {
        const Dataset data = toy_dataset(random_samples(rows, columns, std::min(columns, 5u), 2));
        for (const unsigned threads : {1u, 5u}) {
            Plan plan = columns_plan(threads, "squared", "atomic");
            plan.observations_per_epoch = 2;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            CHECK(outcome.updates == std::uint64_t{rows} * plan.epochs);
            CHECK(outcome.nonzeros == data.sparse().nonzeros() * plan.epochs);
            CHECK(outcome.observations.size() == (rows > 1 ? 2 : 1) * plan.epochs + 1);
            CHECK((outcome.least_share <= 1) == (threads > 1));
        }
        // Each coordinate once an epoch: of one epoch at step 1 the weights are the recursion's.
        Plan plan = columns_plan(1, "squared");
        plan.epochs = 1;
        CHECK(distance(weights_of(plan, data), column_recursion(plan, data.sparse())) < 1e-5);
    }
}

TEST_CASE("several workers learn on columns, under either policy, and on doubles, where they outnumber cores, too") {
    for (const unsigned threads : {2u, 8u}) {
        for (const std::string update : {"racy", "atomic"}) {
            for (const std::string memory : {"host", "host-fp64"}) {
                Plan plan = columns_plan(threads, "logistic", update);
                set_memory(plan, memory);
                plan.step.size =
                    0.1; // of at most 12 coordinates a sample: steps of all at once, however stale, descend
                const Outcome outcome = run(plan, {crowded()});
                CHECK(outcome.status == "done");
                CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
            }
        }
    }
}

TEST_CASE("an interrupt ends a run on columns") {
    const Dataset data = crowded();
    const std::atomic<bool> interrupt{true};
    RunInputs inputs{data};
    inputs.interrupt = &interrupt;
    CHECK(run(columns_plan(3), inputs).status == "interrupted");
}

TEST_CASE("columns are of smooth losses of sparse rows, on CPU threads, by racy or atomic margins") {
    CHECK(why_not(columns_plan(2, "squared", "atomic")).empty());
    CHECK(why_not(columns_plan(2, "hinge")) ==
          "hinge has kinks, where no coordinate alone leads further down though several together would; use --problem "
          "logistic or squared");
    CHECK(why_not(columns_plan(2, "factorization")) ==
          "columns keeps the margin of each sparse row, and factorization has no such; use --problem logistic or "
          "squared");
    CHECK(why_not(columns_plan(2, "logistic", "noop")) ==
          "margins are added to by racy or atomic steps, not by noop; use one of these");
    Plan plan = columns_plan();
    plan.memory = "mapped";
    CHECK(why_not(plan) == "columns keeps margins in ordinary memory; use --memory host");
    plan = columns_plan();
    plan.telemetry = "sampled";
    CHECK(why_not(plan) == "columns has no probes of staleness and lost updates; use --telemetry off");
    plan = columns_plan();
    plan.delay = 1e-6;
    CHECK(why_not(plan) == "columns has no step that is delayed; use --delay 0");
    plan = columns_plan();
    plan.step.kind = "backoff";
    CHECK(why_not(plan).starts_with("columns needs no smaller steps"));
    plan = columns_plan();
    plan.device = "gpu";
    plan.memory = "device";
    CHECK(why_not(plan) == "columns runs on CPU threads");
    plan = columns_plan();
    plan.l1 = 0.1;
    CHECK(why_not(plan) == "steps of columns know no L1, svrg and saga have proximal ones; use --l1 0");
    plan = columns_plan();
    plan.l2 = 10; // each coordinate's own steps take any
    CHECK(why_not(plan).empty());
    CHECK(why_not_go_on(columns_plan()) == "margins, as roundings left them, are in no snapshot");
}
