// The laws of schemes where samples are pairs of factor rows.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

using namespace hogwild;

namespace {

/// 2,000 ratings by 60 users of 40 items: crowded, so that workers meet.
Dataset crowded_ratings() { return ratings_dataset(random_ratings(2'000, 60, 40, {.mean = 3}, 1)); }

/// Large enough for blocks of tiles.
Dataset in_tiles() { return ratings_dataset(random_ratings(265'000, 3'000, 2'000, {.mean = 3}, 1)); }

} // namespace

TEST_CASE("one worker with any update policy and any guard walks the path of serial SGD over ratings" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = crowded_ratings();
    for (const std::vector<double>& model : {std::vector<double>{8, 1}, {8, 0}, {13, 1}}) {
        Plan plan = ratings_plan("serial");
        plan.parameters = model;
        check_one_worker_walks_serials_path(plan, data);
    }
}

TEST_CASE("the laws of paths hold over tiles of ratings, which large data have") { // oracles 6 and 12
    const Dataset data = in_tiles();
    REQUIRE(wants_shuffled(ratings_plan("serial"), data));
    Plan plan = ratings_plan("serial");
    plan.parameters = {2, 1};
    plan.epochs = 1;
    const std::vector<float> serial = weights_of(plan, data);
    for (const std::string scheme : {"hogwild", "round-robin"}) {
        plan.scheme = scheme;
        CHECK(weights_of(plan, data) == serial);
    }
    Plan alone = plan;
    alone.scheme = "minibatch";
    alone.batch.size = 5'000;
    Plan together = alone;
    together.threads = 3;
    CHECK(weights_of(together, data) == weights_of(alone, data));
}

TEST_CASE("minibatch over ratings has the same bits at any number of workers") {
    check_workers_share_batches(ratings_plan("minibatch"), crowded_ratings());
}

TEST_CASE("every instruction set walks the same path over ratings" * doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = crowded_ratings();
    for (const std::string scheme : {"serial", "minibatch"}) {
        for (const double rank : {32.0, 35.0}) {
            Plan plan = ratings_plan(scheme);
            plan.parameters = {rank, 1};
            check_instruction_sets(plan, data);
        }
    }
}

TEST_CASE("a loop for a rank walks the path of the loop for any, which a probe watches" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = crowded_ratings();
    for (const double rank : {16.0, 32.0, 64.0, 128.0, 48.0}) {
        for (const double biases : {0.0, 1.0}) {
            CAPTURE(rank);
            Plan plan = ratings_plan("serial");
            plan.parameters = {rank, biases};
            const std::vector<float> weights = weights_of(plan, data);
            plan.telemetry = "sampled";
            CHECK(weights_of(plan, data) == weights);
        }
    }
}

TEST_CASE("with damped steps too, loops, probes, schemes and instruction sets walk one path" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = counted_dataset(random_ratings(2'000, 60, 40, {.mean = 3}, 2));
    for (const double rank : {32.0, 35.0}) {
        Plan plan = ratings_plan("serial");
        plan.parameters = {rank, 1};
        const std::vector<float> plain = weights_of(plan, data);
        plan.parameters = {rank, 1, 10};
        const std::vector<float> damped = weights_of(plan, data);
        CHECK(damped != plain);
        check_one_worker_walks_serials_path(plan, data);
        check_instruction_sets(plan, data);
        plan.telemetry = "sampled";
        CHECK(weights_of(plan, data) == damped);
    }
}

TEST_CASE("with damped steps too, minibatch has the same bits at any number of workers") {
    const Dataset data = counted_dataset(random_ratings(2'000, 60, 40, {.mean = 3}, 2));
    for (const double rank : {32.0, 35.0}) {
        Plan plan = ratings_plan("minibatch");
        plan.parameters = {rank, 1, 10};
        check_workers_share_batches(plan, data);
    }
}

TEST_CASE("every scheme learns ratings, steps on every one of them, and counts two rows of factors and biases") {
    TestRatings planted = random_ratings(4'000, 60, 40, {.mean = 3}, 2);
    TestNumbers numbers(9);
    const std::vector<float> user = numbers.vector<float>(60), item = numbers.vector<float>(40);
    for (Rating& rating : planted.ratings) rating.value = 3 + user[rating.user] * item[rating.item];
    const Dataset data = ratings_dataset(std::move(planted));
    for (const std::string scheme : {"serial", "hogwild", "round-robin", "conflict-free", "minibatch", "local-sgd"}) {
        CAPTURE(scheme);
        Plan plan = ratings_plan(scheme, scheme == "serial" ? 1 : 3);
        plan.update = "atomic";
        plan.epochs = kThreadSanitizer ? 2 : 20;
        plan.l2 = 1e-4;
        plan.batch.size = 8;
        plan.exchange.period = 100;
        plan.step.size = scheme == "minibatch" ? 0.4 : 0.1;
        RunInputs inputs{data};
        inputs.test = &data;
        const Outcome outcome = run(plan, inputs);
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == plan.epochs * 4'000);
        CHECK(outcome.nonzeros == plan.epochs * 4'000 * 18);
        CHECK(outcome.weights.size() == 100 * 9);
        if (!kThreadSanitizer)
            CHECK(outcome.observations.back().train_loss < 0.3 * outcome.observations.front().train_loss);
        CHECK(outcome.observations.back().scores[0] ==
              doctest::Approx(std::sqrt(2 * outcome.observations.back().test_loss)));
        CHECK(outcome.observations.back().scores[1] == outcome.observations.back().scores[0]); // of the same ratings
    }
}

TEST_CASE(
    "no guard loses an increment of a pair, and a lock that all share, held over the read, leaves nothing stale") {
    const Dataset data = crowded_ratings();
    for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
        Plan plan = ratings_plan("hogwild", 3);
        plan.guard = guard;
        plan.telemetry = "exact";
        const Telemetry telemetry = run(plan, {data}).telemetry;
        CHECK(telemetry.increments_issued == 4 * 2'000 * 18);
        CHECK(telemetry.increments_lost == 0);
    }
    Plan plan = ratings_plan("hogwild", 3);
    plan.guard = "locked-read";
    plan.telemetry = "exact";
    const Dataset of_one_user = ratings_dataset(random_ratings(1'000, 1, 40, {.mean = 3}, 1)); // whose lock all share
    const Telemetry telemetry = run(plan, {of_one_user}).telemetry;
    CHECK(telemetry.staleness.count == 4'000);
    CHECK(telemetry.staleness.max == 0);
}

TEST_CASE("a run over ratings begins with small factors by its seed, and predicts the mean") {
    const Dataset data = crowded_ratings();
    Plan plan = ratings_plan("serial");
    plan.epochs = 1;
    double squares = 0;
    const auto view = data.view().as<RatingsView>();
    for (std::uint64_t i = 0; i < view.rows; ++i) squares += std::pow(view.ratings[i].value - 3.0, 2);
    const double first = run(plan, {data}).observations.front().train_loss;
    CHECK(first == doctest::Approx(squares / 2 / static_cast<double>(view.rows)).epsilon(0.02));
    plan.seed = 2;
    CHECK(run(plan, {data}).observations.front().train_loss != first);
}

TEST_CASE("a step over ratings that is too large is a diverged run, not a crash") {
    Plan plan = ratings_plan("hogwild", 2);
    plan.step.size = 5;
    CHECK(run(plan, {crowded_ratings()}).status == "diverged");
}

TEST_CASE("a model of more weights than a run takes is refused before anything is counted in 32 bits") {
    TestRatings ratings = random_ratings(10, 5, 4, {}, 4);
    ratings.users = 200'000'000;
    Plan plan = ratings_plan("serial");
    plan.parameters = {32, 1}; // 33 x 200,000,004 is 2^32 and more
    try {
        run(plan, {ratings_dataset(std::move(ratings))});
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(std::string(error.what()) ==
              "ratings asks for 6600000132 weights (a run takes up to 2^31 - 1); renumber what the "
              "samples name, or take a smaller model");
    }
}
