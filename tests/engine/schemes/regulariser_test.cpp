// Lazy L2 against eager L2, and the eras of its scale.
#include "tests/engine/schemes/reference.h"
#include "tests/engine/schemes/toy_run.h"

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
            // Each of 4,000 steps rounds each sum once (2^-24) and the margin's 16 lanes; steps contract (curvature x step
            // < 1), so the errors add up to no more than their number.
            CHECK(distance(outcome.weights, reference(plan, data.view())) < 4'000 * 2 * 0x1p-24);
        }
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
        plan.batch = 1;
        plan.l2 = 0.7;
        const Outcome outcome = run(plan, {data});
        if (scheme == "minibatch") CHECK(outcome.rebases > 0);
        CHECK(outcome.status == "done");
        for (const float w : outcome.weights) CHECK(std::abs(w) < 10);
    }
}
