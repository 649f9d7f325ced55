// columns as a user of the program meets it.
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "experiments/plans/defaults.h"
#include "experiments/plans/product.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <string>

using namespace hogwild;

TEST_CASE("columns runs beside rows, by either policy, on floats and on doubles") {
    const Scratch scratch;
    const Finished done =
        run_tiny(scratch.path, {"--problem", "logistic", "--scheme", "serial,columns", "--threads", "1,2", "--update",
                                "racy,atomic,noop", "--memory", "host,host-fp64", "--optimum"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(holds(done.out, "gap at most"));
    CHECK(holds(done.out, "columns"));
    CHECK(holds(done.error + done.out, "margins are added to by racy or atomic steps, not by noop"));
}

TEST_CASE("the hinge has no columns, and says why") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--problem", "hinge", "--scheme", "serial,columns"});
    CHECK(done.code == 0);
    CHECK(holds(done.error + done.out, "hinge has kinks"));
}

TEST_CASE("a step of columns is the whole of each coordinate's own, and has an update of margins alone to choose") {
    Axes axes;
    axes.texts("problem") = {"logistic", "squared"};
    axes.texts("scheme") = {"columns"};
    axes.texts("update") = {"racy", "atomic"};
    axes.texts("guard") = {"none", "locked"};
    axes.reals("l2") = {1.0};
    axes.counts("threads") = {2};
    const Product all = product(axes, 1000, {});
    REQUIRE(all.plans.size() == 4);
    for (const Plan& plan : all.plans) {
        CHECK(plan.step.kind == "constant");
        CHECK(plan.step.size == 1);
        CHECK(plan.guard == "none");
        CHECK(means::update(plan));
        CHECK(means::memory(plan));
        CHECK_FALSE(means::layer_update(plan));
        CHECK_FALSE(wants_gpu(plan));
    }
}
