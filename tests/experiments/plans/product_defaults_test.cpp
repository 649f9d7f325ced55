// What plans of a product have where the command line says nothing.
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/plan.h"
#include "experiments/plans/product.h"

#include "engine/plan/derived/workers.h"
#include "engine/plan/meaning.h"
#include "experiments/plans/defaults.h"
#include "kernels/catalog.h"
#include "tests/experiments/some_schemes.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hogwild {
namespace {

constexpr std::uint64_t kRows = 1000;

TEST_CASE("every problem with every scheme has defaults of its own") {
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const std::string& scheme : kSchemes) {
            CAPTURE(problem);
            CAPTURE(scheme);
            Axes axes;
            axes.texts("problem") = {std::string(problem)};
            axes.texts("scheme") = {scheme};
            const std::vector<Plan> plans = product(axes, kRows).plans;
            REQUIRE(plans.size() == 1);
            Plan untouched = plans[0];
            untouched.step.size = -1;
            set_defaults(untouched, {});
            CHECK(untouched.step.size > 0);
        }
    }
}

TEST_CASE(
    "L2 limits no default step of ratings: a batch's step moves a row by a mean, so every scheme has as large a grid") {
    Axes axes;
    axes.texts("problem") = {"factorization"};
    axes.texts("scheme") = {"serial", "hogwild", "round-robin", "conflict-free", "minibatch", "local-sgd"};
    axes.reals("step_scale") = {0.111, 0.333, 1, 3, 9};
    const double spread = 5.2; // ratings from -10 to 10
    const Product tried = product(axes, 1'800'000, {.squared_norm = spread, .rows = 1'800'000});
    CHECK(tried.left_out.empty());
    CHECK(tried.plans.size() == axes.texts("scheme").size() * axes.reals("step_scale").size());
    axes.reals("step_scale") = {1'000};
    CHECK(product(axes, 1'800'000, {.squared_norm = spread, .rows = 1'800'000}).plans.size() <
          axes.texts("scheme").size());
}

TEST_CASE("replicas come together every 512 samples of all workers by default, and each every 128 at the latest") {
    Plan plan;
    plan.problem = "hinge";
    plan.scheme = "async-local-sgd";
    for (const auto& [threads, exchange] :
         {std::pair{1u, 128u}, {2u, 128u}, {4u, 128u}, {8u, 64u}, {16u, 32u}, {64u, 16u}, {1'000u, 16u}}) {
        plan.threads = threads;
        set_defaults(plan, {});
        CHECK(plan.exchange.period == exchange);
    }
    plan.scheme = "local-sgd";
    set_defaults(plan, {});
    CHECK(plan.exchange.period == 1'024);
    Axes axes;
    axes.texts("scheme") = {"async-local-sgd"};
    axes.counts("threads") = {2, 16};
    const std::vector<Plan> plans = product(axes, 1'000).plans;
    CHECK(plans.at(0).exchange.period == 128);
    CHECK(plans.at(1).exchange.period == 32);
}

TEST_CASE("hot groups have defaults of their own, and leave schemes without any as they are") {
    const std::uint32_t pages = 8192;
    for (const auto& [problem, exchanges] : {std::pair{"factorization", std::pair{4'096u, 1'024u}},
                                             {"cut", {4'096u, 1'024u}},
                                             {"skipgram", {1'024u, 256u}},
                                             {"hinge", {128u, 32u}}}) {
        Axes axes;
        axes.texts("problem") = {problem};
        axes.texts("scheme") = {"hogwild", "local-sgd"};
        axes.counts("threads") = {2, 16};
        axes.texts("hot_updates") = {"direct", "replicated", "thinned"};
        for (const Plan& plan : product(axes, 100'000).plans) {
            if (plan.hot.updates == "thinned") continue;
            const bool linear = plan.problem == "hinge", owns = plan.hot.updates == "replicated";
            CHECK(plan.hot.count == (!owns ? 0u : linear ? 256u : pages));
            CHECK(plan.placement == (owns && linear ? "hot-first" : "stored"));
            if (owns) CHECK(plan.exchange.period == (plan.threads == 2 ? exchanges.first : exchanges.second));
            if (plan.scheme == "local-sgd") CHECK(plan.exchange.period == (linear ? 1'024u : 65'536u));
        }
    }
}

TEST_CASE("a default step that L2 limits has two digits") {
    Axes axes;
    axes.texts("problem") = {"hinge"};
    axes.texts("scheme") = {"minibatch"};
    axes.reals("l2") = {0.0437};
    const double step = product(axes, kRows).plans.at(0).step.size;
    CHECK(step == to_digits(step, 2));
    CHECK(step * 0.0437 == doctest::Approx(0.1).epsilon(0.05));
}

TEST_CASE("default steps shrink with the samples' norm, and where samples agree with that") {
    const auto step = [](const std::string& scheme, const SampleScale& scale) {
        Axes axes;
        axes.texts("problem") = {"logistic"};
        axes.texts("scheme") = {scheme};
        return product(axes, 1'000'000, scale).plans.at(0).step.size;
    };
    for (const std::string& scheme : kSchemes) {
        const double text = step(scheme, {1, 0.02});
        CHECK(text == step(scheme, {1, 0}));
        CHECK(step(scheme, {10, 0.2}) == doctest::Approx(text / 10).epsilon(0.05)); // two digits
        CHECK(step(scheme, {10, 5}) < 0.5 * text / 10);
    }
    CHECK(step("minibatch", {14, 6.3}) * 0.25 * 6.3 < 2); // else the mean loss itself diverges
}

TEST_CASE("a default step that would be nothing, or not finite, names the option that it was made from") {
    const auto refusal = [](const char* axis, double value, const char* scheme = "serial") {
        Axes axes;
        axes.texts("scheme") = {scheme};
        axes.reals(axis) = {value};
        try {
            product(axes, kRows);
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::kUsage);
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    for (const double l2 : {1e308, 1e300, 1e40}) {
        CAPTURE(l2);
        CHECK(refusal("l2", l2).starts_with("--l2 " + exact(l2) + " is too large ("));
    }
    CHECK(refusal("l2", 1e30) == "accepted");
    CHECK(refusal("step_scale", 1.7e308, "minibatch")
              .starts_with("--step-scale 1.7e+308 cannot be (times a step size of "));
    CHECK(refusal("step_scale", 5e-324).starts_with("--step-scale 5e-324 cannot be ("));
}

TEST_CASE("a default step gives way to a strong L2, one from the command line does not") {
    Axes axes;
    axes.texts("scheme") = {"serial"};
    axes.reals("l2") = {0, 1e-4, 1.0};
    const std::vector<Plan> plans = product(axes, kRows).plans;
    REQUIRE(plans.size() == 3);
    CHECK(plans[0].step.size == plans[1].step.size);
    CHECK(plans[2].step.size == 0.1);
    axes.reals("l2") = {0.1};
    axes.reals("step_size") = {1.25};
    CHECK(product(axes, kRows).plans[0].step.size == 1.25);
}

TEST_CASE(
    "no image of a batch has more than 0.02 of a network's default step, under any scheme; of one asked for it has") {
    Axes axes;
    axes.texts("problem") = {"network"};
    const auto step = [&](std::uint32_t batch) {
        axes.counts("batch") = {batch};
        return product(axes, kRows).plans.at(0).step.size;
    };
    for (const char* scheme : {"serial", "hogwild", "minibatch", "local-sgd", "async-local-sgd", "round-robin"}) {
        CAPTURE(scheme);
        axes.texts("scheme") = {scheme};
        CHECK(step(1) == 0.02);
        axes.texts("optimizer") = {"momentum"};
        axes.reals("beta1") = {0.5};
        CHECK(step(1) == 0.01);
        axes.texts("optimizer") = {"adam"};
        CHECK(step(1) == 0.001);
        axes.texts("optimizer") = {"sgd"};
        axes.reals("step_size") = {0.1};
        CHECK(step(1) == 0.1);
        axes.reals("step_size").clear();
        if (axes.texts("scheme")[0] == "round-robin") continue; // of single images alone
        CHECK(step(2) == 0.04);
        CHECK(step(5) == 0.1);
        CHECK(step(64) >= 0.1);
    }
}

TEST_CASE(
    "steps of networks fall linearly after a warm-up by default, and a schedule that is asked for has its own alone") {
    Axes axes;
    axes.texts("problem") = {"network", "hinge"};
    axes.texts("scheme") = {"serial", "hogwild", "minibatch", "local-sgd", "async-local-sgd"};
    const auto plans = [&] { return product(axes, kRows).plans; };
    for (const Plan& plan : plans()) {
        const bool network = plan.problem == "network";
        CHECK(plan.step.kind == (network ? "linear" : "decay"));
        CHECK(plan.step.warm_up == (network ? 0.2 : 0));
    }
    axes.reals("step_size") = {0.01}; // a size is no schedule
    for (const Plan& plan : plans()) CHECK(plan.step.warm_up == (plan.problem == "network" ? 0.2 : 0));
    axes.texts("step") = {"constant", "linear"};
    for (const Plan& plan : plans()) CHECK(plan.step.warm_up == 0);
    axes.reals("warm_up") = {{1, false}};
    for (const Plan& plan : plans()) CHECK(plan.step.warm_up == 1);
}

TEST_CASE("a network on a GPU is one stream of four teams by default, and its step shrinks with the number of teams") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"hogwild"};
    axes.texts("device") = {"gpu"};
    const auto plan = [&] { return product(axes, kRows).plans.at(0); };
    CHECK(plan().gpu.streams == 1);
    CHECK(gpu_teams(plan()) == 4);
    CHECK(plan().step.size == doctest::Approx(0.05));
    axes.counts("blocks") = {128};
    axes.given.insert("--blocks");
    CHECK(gpu_teams(plan()) == 16);
    CHECK(plan().step.size <= 0.013);
    axes.counts("blocks") = {33}; // of which no power of two divides
    CHECK(gpu_teams(plan()) == 33);
    axes.reals("step_size") = {0.3};
    CHECK(plan().step.size == 0.3);
}

TEST_CASE(
    "replicas of a GPU are of four teams by default, in its own memory, and come together as threads' do; of other "
    "problems they are threads'") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"async-local-sgd"};
    axes.texts("device") = {"gpu"};
    axes.cores = 64; // threads that no run has
    const auto plan = [&] { return product(axes, kRows).plans.at(0); };
    CHECK(gpu_teams(plan()) == 4);
    CHECK(plan().exchange.period == 128);
    CHECK(plan().memory == "device");
    CHECK(plan().step.size == 0.1);
    axes.counts("blocks") = {128};
    axes.given.insert("--blocks");
    CHECK(gpu_teams(plan()) == 16);
    CHECK(plan().exchange.period == 32);
    CHECK(plan().step.size == 0.1);
    axes.texts("device") = {"cpu", "both"};
    const Product refused = product(axes, kRows);
    CHECK(refused.plans.size() == 1);
    REQUIRE(refused.left_out.size() == 1);
    CHECK(refused.left_out[0].why.starts_with("replicas of threads and of a GPU's teams have no shared model"));
    axes.texts("problem") = {"logistic"};
    axes.texts("device") = {"cpu", "gpu", "both"};
    CHECK(product(axes, kRows).plans.size() == 1);
    CHECK(product(axes, kRows).plans[0].device == "cpu");
}

TEST_CASE("what the command line says wins over the defaults") {
    Axes axes;
    axes.texts("scheme") = {"minibatch"};
    axes.texts("step") = {"constant"};
    axes.reals("step_size") = {0.125};
    axes.counts("batch") = {3};
    axes.counts("epochs") = {2};
    const std::vector<Plan> plans = product(axes, kRows).plans;
    REQUIRE(plans.size() == 1);
    CHECK(plans[0].step.kind == "constant");
    CHECK(plans[0].step.size == 0.125);
    CHECK(plans[0].batch.size == 3);
    CHECK(plans[0].epochs == 2);
}

TEST_CASE(
    "hot coordinates are copied by default where that helps: under atomic, of sparse samples or of narrow dense ones") {
    Axes axes;
    axes.texts("scheme") = {"hogwild"};
    axes.texts("device") = {"gpu"};
    const auto hot = [&](std::uint32_t dense_columns) {
        const std::vector<Plan> plans = product(axes, kRows, {.dense_columns = dense_columns}).plans;
        REQUIRE(plans.size() == 1);
        CHECK(plans[0].placement == (plans[0].hot.count > 0 ? "hot-first"
                                     : dense_columns > 0    ? "stored"
                                                            : "scattered"));
        return plans[0].hot.count;
    };
    CHECK(hot(0) == 64);
    CHECK(hot(54) == 64);
    CHECK(hot(65) == 0);
    axes.counts("blocks") = {24}; // of each of four streams: few increments wait for each other
    CHECK(hot(0) == 0);
    axes.counts("blocks") = {66};
    axes.texts("update") = {"racy"};
    CHECK(hot(0) == 0);
}

} // namespace
} // namespace hogwild
