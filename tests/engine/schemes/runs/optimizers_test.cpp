// The laws of optimisers under every scheme: whose state a step goes by, and which number it has.
#include "engine/error.h"
#include "engine/plan/optimizer_traits.h"
#include "engine/plan/plan.h"
#include "engine/workers/optimizer_states.h"
#include "kernels/catalog.h"
#include "kernels/problems/network.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/references/bounded_descent.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace hogwild;

namespace {

/// f(plan) for every optimiser.
void for_each_optimizer(Plan plan, const auto& f) {
    for (const std::string_view name : catalog::names<Optimizers>) {
        CAPTURE(name);
        plan.optimizer.name = name;
        plan.step.size = optimizer_traits(name).usual_step > 0 ? 2 * optimizer_traits(name).usual_step : 0.02;
        f(plan);
    }
}

/// Steps taken on every worker's state after such a run.
std::vector<std::uint64_t> counts(const Plan& plan, const Dataset& data) {
    const AnyView view = bound(data.view(), plan);
    ToyJob toy(plan, view, nullptr, kernels_of<Network>());
    make_scheme(plan.scheme)->run(toy.job);
    std::vector<std::uint64_t> steps;
    for (unsigned w = 0; w < plan.threads; ++w) steps.push_back(toy.contexts[w].optimizer->steps->load());
    return steps;
}

} // namespace

TEST_CASE("of every optimiser, one worker of any scheme and minibatch at any number of workers walk serial's path" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = few_images();
    std::set<std::vector<float>> paths;
    const auto check = [&](Plan plan) {
        const std::vector<float> serial = weights_of(plan, data);
        paths.insert(serial);
        plan.scheme = "hogwild";
        for (const std::string state : {"shared", "per-worker"}) {
            plan.optimizer.state = state;
            for (const std::string update : {"racy", "atomic", "cas-bounded"}) {
                plan.update = update;
                CHECK(weights_of(plan, data) == serial);
            }
        }
        plan.update = "racy";
        plan.guard = "locked";
        plan.network.read = "copy";
        CHECK(weights_of(plan, data) == serial);
        plan.guard = "none";
        plan.scheme = "local-sgd";
        plan.exchange.period = 0;
        CHECK(weights_of(plan, data) == serial);
        plan.scheme = "minibatch";
        for (const unsigned threads : {1u, 2u, 5u}) {
            plan.threads = threads;
            CHECK(weights_of(plan, data) == serial);
        }
    };
    Plan plan = images_plan("serial");
    plan.epochs = 2;
    plan.step.kind = "constant";
    plan.l2 = 1e-3;
    for_each_optimizer(plan, check);
    plan.l2 = 0;
    plan.network.layers = "dense 12 relu; dense 4";
    plan.batch.size = 2; // so that rows of pixels that are black in both are left out
    for_each_optimizer(plan, check);
    // One worker's delayed-nesterov is nesterov; all others differ.
    CHECK(paths.size() == 2 * (std::variant_size_v<Optimizers> - 1));
}

TEST_CASE("serial steps walk the path that their optimiser has in double, within what floats round, and no other's" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = few_images();
    Plan plan = images_plan("serial");
    plan.network.layers = "dense 40 tanh; dense 4";
    plan.epochs = 2;
    plan.batch.size = 10;
    plan.step = {.kind = "constant", .size = 0.0005};
    for (const std::string_view name : catalog::names<Optimizers>) {
        CAPTURE(name);
        plan.optimizer.name = name;
        const std::vector<Bounded> path = bounded_descent(plan, bound(data.view(), plan));
        for (const std::string_view other : catalog::names<Optimizers>) {
            CAPTURE(other);
            plan.optimizer.name = other;
            const bool same = other == name || (other.ends_with("nesterov") && name.ends_with("nesterov"));
            CHECK((furthest(weights_of(plan, data), path) <= 1) == same);
        }
    }
}

TEST_CASE("of every optimiser, round-robin with one worker walks serial's path image by image" *
          doctest::test_suite("not under ThreadSanitizer")) {
    Plan plan = images_plan("serial");
    plan.batch.size = 1;
    plan.epochs = 1;
    for_each_optimizer(plan, [](Plan plan) {
        const std::vector<float> serial = weights_of(plan, few_images());
        plan.scheme = "round-robin";
        CHECK(weights_of(plan, few_images()) == serial);
    });
}

TEST_CASE("of every optimiser, every instruction set walks the same path" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 11
    for (const std::string scheme : {"serial", "minibatch"}) {
        for_each_optimizer(images_plan(scheme), [](const Plan& plan) { check_instruction_sets(plan, few_images()); });
    }
}

TEST_CASE("a shared state counts every step of every worker once; states of their own count their worker's") {
    const Dataset data = images_dataset(RandomImages(1'003, {8, 8, 1}, 4));
    for (const std::string guard : {"none", "locked", "global-lock"}) {
        Plan plan = images_plan("hogwild", 3);
        plan.guard = guard;
        plan.optimizer.name = "adam";
        plan.epochs = 3;
        const std::uint64_t steps = 3 * 201; // of 5 images, the last of an epoch of 3
        CHECK(counts(plan, data) == std::vector<std::uint64_t>(3, steps));
        plan.optimizer.state = "per-worker";
        const std::vector<std::uint64_t> own = counts(plan, data);
        CHECK(std::accumulate(own.begin(), own.end(), std::uint64_t{0}) == steps);
    }
    Plan plan = images_plan("local-sgd", 3);
    plan.optimizer.name = "adam";
    plan.epochs = 1;
    plan.exchange.period = 0;
    // Shares of 334, 334 and 335 images; a step ends where a chunk does.
    const std::vector<std::uint64_t> own = counts(plan, data);
    for (const std::uint64_t steps : own) CHECK(steps >= 67);
    CHECK(std::accumulate(own.begin(), own.end(), std::uint64_t{0}) <= 201 + 3 * 2);
}

TEST_CASE("a shared state is one piece of memory, states of their own are as many, all beginning at 0") {
    Plan plan = images_plan("hogwild", 3);
    plan.optimizer.name = "adam";
    for (const std::string state : {"shared", "per-worker"}) {
        plan.optimizer.state = state;
        const OptimizerStates states(plan, 1'000);
        std::set<const float*> numbers;
        std::set<const void*> counts;
        for (unsigned w = 0; w < 3; ++w) {
            const OptimizerState& own = *states.of(w);
            numbers.insert(own.numbers);
            counts.insert(own.steps);
            CHECK(own.apart >= 1'000);
            for (std::size_t k = 0; k < 2 * own.apart; ++k) REQUIRE(own.numbers[k] == 0);
        }
        CHECK(numbers.size() == (state == "shared" ? 1 : 3));
        CHECK(counts.size() == numbers.size());
    }
}

TEST_CASE("every optimiser learns with two workers, from one state or from two, under every scheme") {
    const Dataset data = images_dataset(bright_lines(500));
    for (const std::string scheme : {"hogwild", "local-sgd", "async-local-sgd", "minibatch"}) {
        CAPTURE(scheme);
        Plan plan = images_plan(scheme, 2);
        plan.exchange.period = 100;
        plan.epochs = kThreadSanitizer ? 1 : 6;
        plan.network.layers = "dense 8 relu; dense 4";
        plan.observations_per_epoch = 1;
        for_each_optimizer(plan, [&](Plan plan) {
            for (const std::string state : {"shared", "per-worker"}) {
                plan.optimizer.state = state;
                if (state == "per-worker" && scheme != "hogwild") continue; // no choice
                const Outcome outcome = run(plan, {data});
                CHECK(outcome.status == "done");
                if (!kThreadSanitizer)
                    CHECK(outcome.observations.back().train_loss < 0.5 * outcome.observations.front().train_loss);
            }
        });
    }
}

TEST_CASE("plain SGD has no state, and no setting of one changes its path") {
    const Dataset data = few_images();
    Plan plan = images_plan("hogwild");
    const std::vector<float> weights = weights_of(plan, data);
    plan.optimizer.state = "per-worker";
    plan.optimizer.beta1 = plan.optimizer.beta2 = 0;
    CHECK(weights_of(plan, data) == weights);
    plan.threads = 4;
    CHECK(OptimizerStates::floats(plan, 1'000) == 0);
    plan.optimizer.name = "momentum";
    CHECK(OptimizerStates::floats(plan, 1'000) == 4 * 1'008);
    plan.optimizer.name = "adam";
    plan.optimizer.state = "shared";
    CHECK(OptimizerStates::floats(plan, 1'000) == 2 * 1'008);
    for (const std::string scheme : {"local-sgd", "async-local-sgd"}) {
        plan.scheme = scheme;
        CHECK(OptimizerStates::floats(plan, 1'000) == 4 * 2 * 1'008);
    }
}

TEST_CASE("an optimiser and its settings are a plan's text, of networks alone") {
    Plan plan = images_plan("hogwild", 2);
    const std::uint64_t plain = hash(plan);
    plan.optimizer.name = "adam";
    plan.optimizer.state = "per-worker";
    plan.optimizer.beta1 = 0.5;
    plan.optimizer.beta2 = 0.75;
    const Plan again = plan_of(fields(plan));
    CHECK(again.optimizer.name == "adam");
    CHECK(again.optimizer.state == "per-worker");
    CHECK(again.optimizer.beta1 == 0.5);
    CHECK(again.optimizer.beta2 == 0.75);
    CHECK(hash(again) == hash(plan));
    CHECK(hash(plan) != plain);
    const auto names = [](const Plan& plan) {
        std::set<std::string> all;
        for (const auto& [name, value] : fields(plan)) all.insert(name);
        return all;
    };
    CHECK(names(plan).contains("beta2"));
    CHECK_FALSE(names(toy_plan("serial")).contains("optimizer"));
}

TEST_CASE("an optimiser where it means nothing, or a share of nothing, is refused") {
    Plan plan = images_plan("hogwild", 2);
    plan.optimizer.name = "adam";
    CHECK(why_not(plan) == "");
    plan.update = "noop";
    CHECK(why_not(plan) == "noop writes no weight for adam to go by; use --optimizer sgd");
    plan.update = "racy";
    plan.guard = "publish";
    CHECK(why_not(plan) ==
          "a step that publish drops would have moved adam's state; use --guard none or --optimizer sgd");
    plan.guard = "none";
    plan.problem = "hinge";
    CHECK(why_not(plan) == "steps of hinge are plain SGD, adam is for networks; use --optimizer sgd");
    plan = images_plan("serial");
    for (const double beta : {-0.1, 1.0}) {
        plan.optimizer.beta1 = beta;
        CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("--beta1"), Error);
        plan.optimizer.beta1 = 0.9;
        plan.optimizer.beta2 = beta;
        CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("--beta2"), Error);
        plan.optimizer.beta2 = 0.999;
    }
    plan.optimizer.name = "adma";
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("unknown optimizer 'adma' (known: sgd, momentum"), Error);
    plan.optimizer.name = "adam";
    plan.optimizer.state = "per-core";
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("unknown state 'per-core'"), Error);
}
