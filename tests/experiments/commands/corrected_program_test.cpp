// svrg and saga as a user of the program meets them.
#include "engine/data/load.h"
#include "engine/error.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "experiments/plans/defaults.h"
#include "experiments/plans/product.h"
#include "experiments/targets/objectives.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hogwild;

TEST_CASE("svrg and saga run beside others, on floats and on doubles, without a GPU") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--problem", "logistic", "--scheme", "serial,svrg,saga", "--threads",
                                                  "1,2", "--memory", "host,host-fp64", "--optimum"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(holds(done.out, "gap at most"));
    CHECK(holds(done.out, "host-fp64"));
    const Scratch doubles; // alone they are no memory of a GPU's
    CHECK(run_tiny(doubles.path, {"--problem", "squared", "--scheme", "saga", "--memory", "host-fp64"}).code == 0);
}

TEST_CASE("what svrg and saga do not take is left out with its reason") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--problem", "hinge", "--scheme", "serial,svrg"});
    CHECK(done.code == 0);
    CHECK(holds(done.error + done.out, "hinge has a kink"));
    const Scratch another;
    const Finished l1 =
        run_tiny(another.path, {"--problem", "logistic", "--scheme", "serial,saga", "--l1", "1e-3", "--optimum"});
    CHECK(l1.code == 0);
    CHECK(holds(l1.error + l1.out, "steps of serial know no L1"));
    CHECK(holds(l1.error + l1.out, "optimum of logistic with L1: unknown"));
    CHECK(run_tiny(another.path, {"--scheme", "saga", "--l1", "1,2"}).code == 2);
}

TEST_CASE("a gap is no target of a loss with L1") {
    const Dataset unread = load("synthetic:rows=10,features=5,nonzeros=2", {});
    RunOptions options;
    options.target = TargetOption{0.01, true};
    Plan plan;
    plan.problem = "squared";
    plan.scheme = "saga";
    plan.l2 = plan.l1 = 0.1;
    CHECK_THROWS_WITH_AS(
        Objectives(options, {plan}, unread, false),
        "no target can be fixed for squared with L1 by a gap (the solver of optima knows no L1; what certifies a run's "
        "final weights is not known before it); give the target as a loss, --target 0.3",
        Error);
}

TEST_CASE("their step is constant, a third of the inverse of the steepest sample's slope, whatever L2") {
    Axes axes;
    axes.texts("problem") = {"logistic", "squared"};
    axes.texts("scheme") = {"svrg", "saga"};
    axes.texts("update") = {"racy", "atomic"}; // theirs is their own
    axes.reals("l2") = {1.0};
    axes.counts("threads") = {2};
    SampleScale scale;
    scale.most_squared_norm = 8;
    const Product all = product(axes, 1000, scale);
    REQUIRE(all.plans.size() == 4);
    for (const Plan& plan : all.plans) {
        CHECK(plan.step.kind == "constant");
        CHECK(plan.step.size == (plan.problem == "logistic" ? 0.17 : 0.042)); // 4 / (3 x 8) and 1 / (3 x 8)
        CHECK(plan.memory == "host");
        CHECK_FALSE(wants_gpu(plan));
    }
}
