// The laws of schemes where samples are windows of text.
#include "engine/error.h"
#include "engine/order/order.h"
#include "engine/plan/plan.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_text.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// 600 words of a vocabulary of 40: crowded, so that workers meet.
Dataset crowded_text() { return text_dataset(random_text(600, 40, 15, 1)); }

} // namespace

TEST_CASE("one worker with any update policy and any guard walks the path of serial SGD over text" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = crowded_text();
    for (const std::vector<double>& model :
         {std::vector<double>{8, 5, 5, 1e-2, 1}, {8, 3, 2, 0, 0}, {21, 5, 5, 1e-2, 1}}) {
        Plan plan = text_plan("serial");
        plan.parameters = model;
        check_one_worker_walks_serials_path(plan, data);
    }
}

TEST_CASE("runs without conflicts end with serial's weights over text at any number of workers") { // oracle 8
    const Dataset data = crowded_text();
    for (const std::vector<double>& model :
         {std::vector<double>{8, 5, 5, 1e-2, 1}, {8, 3, 2, 0, 0}, {21, 5, 5, 1e-2, 1}}) {
        Plan plan = text_plan("serial");
        plan.parameters = model;
        check_conflict_free_schemes(plan, data);
    }
}

TEST_CASE("a text that goes by blocks is not copied, and one worker still walks serial's path" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = text_dataset(random_text(270'000, 300, 20, 2)); // more than a mebibyte
    Plan plan = text_plan("serial");
    plan.parameters = {2, 1, 1, 1e-4, 1};
    plan.epochs = 1;
    REQUIRE(orders_blocks(plan.order, data.view()));
    CHECK_FALSE(wants_shuffled(plan, data));
    const std::vector<float> serial = weights_of(plan, data);
    plan.scheme = "hogwild";
    CHECK(weights_of(plan, data) == serial);
    plan.scheme = "serial";
    plan.order = "stored";
    CHECK(weights_of(plan, data) != serial);
}

TEST_CASE("minibatch over text has the same bits at any number of workers") {
    const Dataset data = crowded_text();
    for (const double shared : {0.0, 1.0}) {
        Plan plan = text_plan("minibatch");
        plan.parameters[4] = shared;
        check_workers_share_batches(plan, data);
    }
}

TEST_CASE("every instruction set walks the same path over text" * doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = crowded_text();
    for (const std::string scheme : {"serial", "minibatch"}) {
        for (const std::vector<double>& model : {std::vector<double>{35, 5, 5, 1e-2, 1}, {35, 5, 5, 1e-2, 0}}) {
            Plan plan = text_plan(scheme);
            plan.parameters = model;
            check_instruction_sets(plan, data);
        }
    }
}

TEST_CASE("every scheme learns which words stand together, and steps on every position") {
    const Dataset data = text_dataset(two_topics());
    for (const std::string scheme : {"serial", "hogwild", "round-robin", "conflict-free", "minibatch", "local-sgd"}) {
        CAPTURE(scheme);
        Plan plan = text_plan(scheme, scheme == "serial" ? 1 : 3);
        plan.parameters = {8, 5, 5, 0, 1};
        plan.epochs = kThreadSanitizer ? 1 : 10;
        plan.batch.size = 8;
        plan.exchange.period = 100;
        plan.step.size = scheme == "minibatch" ? 0.4 : scheme == "local-sgd" ? 0.15 : 0.05;
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == plan.epochs * 6'000);
        CHECK(outcome.weights.size() == 2 * 20 * 8);
        CHECK(std::isnan(outcome.observations.back().scores[0])); // nobody asked
        if (kThreadSanitizer) continue;
        CHECK(outcome.observations.back().train_loss < 0.8 * outcome.observations.front().train_loss);
        for (std::size_t w = 2; w < 20; ++w)
            CHECK(cosine(outcome.weights, 8, w, w % 2) > cosine(outcome.weights, 8, w, 1 - w % 2) + 0.1);
    }
}

TEST_CASE("no guard loses an increment of a window; windows are the same however many workers step on them") {
    const Dataset data = crowded_text();
    Plan plan = text_plan("hogwild", 3);
    plan.telemetry = "exact";
    plan.threads = 1;
    const std::uint64_t alone = run(plan, {data}).telemetry.increments_issued;
    plan.threads = 3;
    for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
        plan.guard = guard;
        const Telemetry telemetry = run(plan, {data}).telemetry;
        CHECK(telemetry.increments_issued == alone);
        CHECK(telemetry.increments_lost == 0);
    }
}

TEST_CASE("a step over text that is too large is a diverged run, not a crash") {
    Plan plan = text_plan("hogwild", 2);
    plan.step.size = 1e20;
    CHECK(run(plan, {crowded_text()}).status == "diverged");
}

TEST_CASE("a text of which subsampling keeps nothing is refused, with the way out") {
    Plan plan = text_plan("serial");
    plan.parameters = {8, 5, 5, 1e-12, 1};
    CHECK_THROWS_WITH_AS(run(plan, {crowded_text()}), doctest::Contains("--subsample 0 keeps all"), Error);
    plan.parameters = {8, 5, 5, 0, 1};
    CHECK(run(plan, {crowded_text()}).status == "done");
}

TEST_CASE("a minibatch whose gradients would not fit is refused before it is made") {
    Plan plan = text_plan("minibatch");
    plan.batch.size = 4'000'000'000;
    plan.parameters = {512, 32, 16, 0, 0};
    CHECK_THROWS_WITH_AS(run(plan, {crowded_text()}), doctest::Contains("does not fit"), Error);
}
