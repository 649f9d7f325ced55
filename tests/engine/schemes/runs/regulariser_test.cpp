// Lazy L2 against eager L2, and the eras of its scale.
#include "engine/plan/plan.h"
#include "tests/engine/schemes/reference.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("lazy L2 equals eager L2 after the flush") { // oracle 19
    const Dataset data = crowded();
    for (const std::string problem : {"logistic", "squared"}) { // smooth: rounding moves the path only in proportion
        for (const double l2 : {0.0, 1e-3, 0.3, 0.7}) {         // up to an era a cell
            Plan plan = toy_plan("serial");
            plan.problem = problem;
            plan.l2 = l2;
            const Outcome outcome = run(plan, {data});
            CHECK((outcome.rebases > 0) == (l2 > 0.1));
            // Each of 4,000 steps rounds each sum once (2^-24) and the margin's 16 lanes. Steps contract (curvature x
            // step < 1), so the errors add up to no more than their number.
            CHECK(distance(outcome.weights, reference(plan, data.sparse())) < 4'000 * 2 * 0x1p-24);
        }
    }
}

TEST_CASE("a new era begins with the weights that the old one left") {
    const Dataset data = crowded();
    SparseView few = data.sparse();
    Plan plan = toy_plan("serial");
    plan.problem = "logistic";
    plan.epochs = 1;
    plan.l2 = 0.7;
    for (const std::uint64_t rows : {256u, 257u, 260u, 515u}) { // few steps into an era: later ones forget how it began
        few.rows = rows;
        const Dataset part("part", 1, few, nullptr);
        const Outcome outcome = run(plan, {part});
        CHECK(outcome.rebases == (rows - 1) / 256);
        CHECK(distance(outcome.weights, reference(plan, few)) < 4'000 * 2 * 0x1p-24);
    }
}

TEST_CASE("many workers cross eras together") {
    Plan plan = toy_plan("serial");
    plan.problem = "logistic";
    plan.l2 = 0.7;
    const Dataset data = disjoint(); // no conflicts: the result is serial's
    const Outcome serial = run(plan, {data});
    CHECK(serial.rebases > 0);
    for (const std::string scheme : {"hogwild", "round-robin"}) {
        for (const unsigned threads : {2u, 5u}) {
            plan.scheme = scheme;
            plan.threads = threads;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.rebases == serial.rebases);
            if (scheme == "hogwild") CHECK(outcome.weights == serial.weights);
        }
    }
}

TEST_CASE("minibatch and local SGD keep their scale in range under strong L2") {
    const Dataset data = crowded();
    for (const std::string scheme : {"minibatch", "local-sgd"}) {
        Plan plan = toy_plan(scheme, 2);
        plan.problem = "logistic";
        plan.batch.size = 1;
        plan.l2 = 0.7;
        const Outcome outcome = run(plan, {data});
        if (scheme == "minibatch") CHECK(outcome.rebases > 0);
        CHECK(outcome.status == "done");
        for (const float w : outcome.weights) CHECK(std::abs(w) < 10);
    }
}

TEST_CASE("workers that outnumber an epoch's chunks neither deadlock nor race at its gate") {
    Plan plan = toy_plan("hogwild");
    plan.problem = "squared";
    plan.l2 = 0.7; // eras
    plan.step.kind = "backoff";
    plan.epochs = 100;
    plan.observations_per_epoch = 1;
    for (const auto& [rows, threads] : {std::pair{1u, 2u}, {2u, 4u}, {3u, 8u}}) {
        const Dataset data = toy_dataset(random_samples(rows, 4, 2, 1));
        plan.threads = threads;
        for (const std::string scheme : {"hogwild", "round-robin"}) {
            plan.scheme = scheme;
            for (plan.seed = 1; plan.seed <= 5; ++plan.seed) CHECK(run(plan, {data}).rebases == plan.epochs - 1);
        }
    }
}
