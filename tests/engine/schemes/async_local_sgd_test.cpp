// Runs with replicas that exchange increments and wait for nobody.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/shared_model.h"
#include "kernels/catalog.h"
#include "tests/engine/schemes/replicas/replica_laws.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace hogwild;

namespace {

Plan async_plan(unsigned threads, const std::string& combine = "sequential") {
    Plan plan = toy_plan("async-local-sgd", threads);
    plan.exchange.combine = combine;
    plan.exchange.period = 16;
    return plan;
}

/// Column j < 256 in every 2^(j / 128)th sample, the others in one each.
Dataset rarer_and_rarer() {
    TestSamples samples;
    samples.columns = 640;
    for (std::uint32_t i = 0; i < 512; ++i) {
        std::vector<std::uint32_t> columns;
        for (std::uint32_t block = 0; block < 5; ++block) {
            if (i % (1u << 2 * block) == 0) columns.push_back(block * 128 + 5);
        }
        samples.add(1.0f, columns, std::vector<float>(columns.size(), 0.5f));
    }
    return toy_dataset(std::move(samples));
}

float margin(const TestSamples& samples, std::size_t i, const float* weights) {
    float sum = 0;
    for (std::size_t k = samples.offsets[i]; k < samples.offsets[i + 1]; ++k)
        sum += samples.values[k] * weights[samples.indices[k]];
    return sum;
}

double mean_loss(std::string_view problem, const TestSamples& samples, const std::vector<float>& weights) {
    return with_linear_problem(problem, [&]<class Problem>(Problem) {
        double sum = 0;
        for (std::size_t i = 0; i < samples.labels.size(); ++i)
            sum += Problem::value(margin(samples, i, weights.data()), samples.labels[i]);
        return sum / static_cast<double>(samples.labels.size());
    });
}

/// Replicas of plan.threads workers, which step in one thread.
struct Replicas {
    explicit Replicas(const Plan& plan, const Dataset& data) : toy(plan, bound(data.view(), plan)), model(toy.job) {
        for (unsigned w = 0; w < plan.threads; ++w) {
            all.push_back(std::make_unique<Replica>(model, w));
            all.back()->begin();
        }
    }

    ToyJob toy;
    SharedModel model;
    std::vector<std::unique_ptr<Replica>> all;
};

/// The shared model's loss after ten passes, in which plan.threads workers step on a sample each, in turn. They do so
/// in one thread, so that no scheduler has a say.
double loss_in_turn(const Plan& plan, const Dataset& data, const TestSamples& samples) {
    constexpr float kStep = 0.05f;
    const Replicas replicas(plan, data);
    with_linear_problem(plan.problem, [&]<class Problem>(Problem) {
        for (std::size_t k = 0; k < 10 * samples.labels.size(); ++k) {
            const std::size_t i = k % samples.labels.size();
            Replica& replica = *replicas.all[k % replicas.all.size()];
            const float slope = Problem::slope(margin(samples, i, replica.weights()), samples.labels[i]);
            for (std::size_t j = samples.offsets[i]; j < samples.offsets[i + 1]; ++j)
                replica.weights()[samples.indices[j]] -= kStep * slope * samples.values[j];
            replica.stepped(1, kStep);
        }
    });
    for (const auto& replica : replicas.all) replica->give_all(kStep);
    const float* shared = replicas.toy.buffer.data();
    return mean_loss(plan.problem, samples, {shared, shared + replicas.toy.buffer.size()});
}

} // namespace

TEST_CASE("one worker of async-local-sgd walks serial's path") { // oracle 6
    for (const char* combine : {"sequential", "sum", "average"}) check_alone_walks_serials_path(async_plan(1, combine));
}

TEST_CASE("of summed increments none is lost and none counts twice, at any number of workers") {
    // 4 epochs of 100 samples a column, each an increment of 2^-9: totals are exact, and no margin comes near hinge's kink.
    const Dataset data = alike(4'000, 40, 0x1p-6f);
    for (const unsigned threads : {2u, 3u, 8u}) {
        for (const std::uint32_t exchange : {1u, 16u, 100u, 0u}) {
            for (const std::uint32_t doublings : {0u, 3u}) {
                Plan plan = async_plan(threads, "sum");
                plan.exchange.period = exchange;
                plan.exchange.doublings = doublings;
                plan.l2 = 0;
                plan.step.kind = "constant";
                plan.step.size = 0x1p-3;
                CHECK(weights_of(plan, data) == std::vector<float>(40, 400 * 0x1p-9f));
            }
        }
    }
}

TEST_CASE("where samples share no coordinate, summed replicas end with serial's weights") { // oracle 7
    Plan plan = toy_plan("serial");
    plan.epochs = 1;
    plan.l2 = 0;
    const std::vector<float> serial = weights_of(plan, disjoint());
    for (const unsigned threads : {2u, 3u, 8u}) {
        Plan replicas = async_plan(threads, "sum");
        replicas.epochs = 1;
        replicas.l2 = 0;
        CHECK(weights_of(replicas, disjoint()) == serial);
    }
}

TEST_CASE("however increments come together, replicas come to the optimum that serial code comes to") {
    // (w - 1)^2 / 2 + lambda w^2 / 2 is least at 1 / (1 + lambda), which few and small steps between two exchanges miss by
    // little. In one thread, worker by worker, so that no scheduler has a say.
    constexpr double kStep = 0.001, kLambda = 0.5;
    const Dataset data = alike(64, 1, 1);
    for (const char* combine : {"sequential", "sum", "average"}) {
        CAPTURE(combine);
        Plan plan = async_plan(4, combine);
        plan.problem = "squared";
        plan.l2 = kLambda;
        plan.exchange.coupling = 64;
        const Replicas replicas(plan, data);
        double scale = 1; // of all coordinates: what L2 has left of them
        for (std::size_t k = 0; k < 40'000; ++k) {
            Replica& replica = *replicas.all[k % replicas.all.size()];
            const double slope = scale * replica.weights()[0] - 1;
            scale *= 1 - kStep * kLambda;
            replica.weights()[0] -= static_cast<float>(kStep * slope / scale);
            replica.stepped(1, kStep);
        }
        for (const auto& replica : replicas.all) replica->give_all(kStep);
        CHECK(scale * replicas.toy.buffer.data()[0] == doctest::Approx(1 / (1 + kLambda)).epsilon(0.03));
    }
}

TEST_CASE("eras of the L2 scale bring all increments together") {
    const Dataset data = disjoint();
    Plan plan = toy_plan("serial");
    plan.l2 = 0.7; // several eras
    plan.order = "stored";
    const Outcome serial = run(plan, {data});
    REQUIRE(serial.rebases > 0);
    Plan replicas = async_plan(3, "sum");
    replicas.l2 = 0.7;
    replicas.order = "stored";
    const Outcome outcome = run(replicas, {data});
    CHECK(outcome.rebases == serial.rebases);
    // A sample is met by its worker's replica, and the next time, an epoch later, by whoever: L2 has made the weight nothing until then.
    for (std::size_t j = 0; j < serial.weights.size(); ++j)
        CHECK(outcome.weights[j] == doctest::Approx(serial.weights[j]).epsilon(1e-4));
}

TEST_CASE("segments of coordinates that are four times rarer are exchanged half as often, down to what is asked for") {
    const Dataset data = rarer_and_rarer();
    for (const std::uint32_t most : {0u, 2u, 9u}) {
        Plan plan = async_plan(2);
        plan.exchange.doublings = most;
        ToyJob toy(plan, bound(data.view(), plan));
        const SharedModel model(toy.job);
        REQUIRE(model.segments().size() == 5);
        for (std::uint32_t s = 0; s < 5; ++s) {
            CHECK(model.segments()[s].begin == s * 128);
            CHECK(model.segments()[s].end == (s + 1) * 128);
            CHECK(model.segments()[s].period == std::uint64_t{16} << std::min(s, most));
        }
    }
}

TEST_CASE("a segment that another worker holds when it is due is exchanged once that one has let it go") {
    constexpr float kStep = 0.5f;
    const Dataset data = rarer_and_rarer();
    Plan plan = async_plan(2, "sum");
    plan.exchange.doublings = 0;
    const Replicas replicas(plan, data);
    Replica& replica = *replicas.all[1]; // whose segments are all due after a period, 16 samples
    const auto shared = [&](std::size_t segment) { return replicas.toy.buffer.data()[128 * segment]; };
    const auto check = [&](const std::vector<float>& expected) {
        for (std::size_t s = 0; s < expected.size(); ++s) CHECK(shared(s) == expected[s]);
    };
    for (std::size_t s = 0; s < 5; ++s) replica.weights()[128 * s] += 1;
    REQUIRE(replicas.model.try_hold(1));
    REQUIRE(replicas.model.try_hold(3));
    replica.stepped(15, kStep);
    check({0, 0, 0, 0, 0});
    replica.stepped(1, kStep);
    check({1, 0, 1, 0, 1});
    replicas.model.release(1);
    replica.stepped(1, kStep);
    check({1, 1, 1, 0, 1});
    replica.stepped(15, kStep); // all are due once more
    check({1, 1, 1, 0, 1});
    replicas.model.release(3);
    for (int k = 0; k < 3; ++k) replica.stepped(1, kStep);
    check({1, 1, 1, 1, 1});
}

TEST_CASE("of segments that are due those that were exchanged and those that were put off are all") {
    constexpr float kStep = 0.5f;
    const Dataset data = rarer_and_rarer();
    Plan plan = async_plan(2, "sum");
    plan.exchange.doublings = 0;
    constexpr std::uint64_t kPeriods = 10, kPeriod = 16, kSegments = 5;
    for (const std::uint64_t held : {0u, 1u, 5u}) { // for so many samples from when they are due
        const Replicas replicas(plan, data);
        Replica& replica = *replicas.all[1];
        std::uint64_t exchanged = 0;
        for (std::uint64_t k = 1; k <= kPeriods * kPeriod + kPeriod / 2; ++k) {
            std::vector<float> before;
            for (std::size_t s = 0; s < kSegments; ++s) {
                replica.weights()[128 * s] += 1; // so that no exchange goes unseen
                before.push_back(replicas.toy.buffer.data()[128 * s]);
            }
            const bool others_hold = k >= kPeriod && k % kPeriod < held;
            for (const std::size_t s : {1u, 3u})
                if (others_hold) REQUIRE(replicas.model.try_hold(s));
            replica.stepped(1, kStep);
            for (const std::size_t s : {1u, 3u})
                if (others_hold) replicas.model.release(s);
            for (std::size_t s = 0; s < kSegments; ++s) exchanged += replicas.toy.buffer.data()[128 * s] != before[s];
        }
        const ExchangeCounts& counts = replica.counts();
        CHECK(exchanged == kPeriods * kSegments);
        CHECK(counts.put_off == kPeriods * 2 * held);
        CHECK(counts.due == exchanged + counts.put_off);
    }
}

TEST_CASE(
    "runs count what was due and what was put off, of which one worker, who has nobody to exchange with, has nothing") {
    for (const unsigned threads : {1u, 2u, 8u}) {
        const std::vector<ExchangeCounts> counts = run(async_plan(threads), {crowded()}).worker_exchanges;
        CHECK(counts.size() == threads);
        std::uint64_t due = 0;
        for (const ExchangeCounts& each : counts) {
            CHECK(each.put_off <= each.due);
            due += each.due;
        }
        CHECK((due > 0) == (threads > 1));
    }
    Plan hot = toy_plan("hogwild", 2);
    CHECK(run(hot, {crowded()}).worker_exchanges.empty());
    hot.hot.updates = "replicated";
    hot.hot.count = 16;
    hot.placement = "hottest";
    CHECK(run(hot, {crowded()}).worker_exchanges.size() == 2);
}

TEST_CASE(
    "a worker whose share of a pass is through hands over all of it, what another holds once that one has let it go") {
    constexpr float kStep = 0.5f;
    const Dataset data = rarer_and_rarer();
    const Plan plan = async_plan(2, "sum");
    const Replicas replicas(plan, data);
    Replica& replica = *replicas.all[1];
    const auto check = [&](const std::vector<float>& expected) {
        for (std::size_t s = 0; s < expected.size(); ++s) CHECK(replicas.toy.buffer.data()[128 * s] == expected[s]);
    };
    for (std::size_t s = 0; s < 5; ++s) replica.weights()[128 * s] += 1;
    REQUIRE(replicas.model.try_hold(2));
    replica.stepped(1, kStep);
    check({0, 0, 0, 0, 0});
    replica.passed(kStep);
    check({1, 1, 0, 1, 1});
    replicas.model.release(2);
    replica.stepped(1, kStep);
    check({1, 1, 1, 1, 1});
    for (std::size_t s = 0; s < 5; ++s) replica.weights()[128 * s] += 1;
    replica.stepped(
        14, kStep); // periods begin again: the hottest segment is due a period, 16 samples, after the pass's end
    check({1, 1, 1, 1, 1});
    replica.stepped(1, kStep);
    check({2, 1, 1, 1, 1});
}

TEST_CASE("at every pass's end replicas hand over what they have, however long the period between two exchanges is") {
    Plan plan = async_plan(2);
    plan.exchange.period = 1u << 30;
    plan.epochs = 8;
    const Outcome outcome = run(plan, {crowded()});
    const std::size_t per_epoch = plan.observations_per_epoch;
    REQUIRE(outcome.observations.size() == plan.epochs * per_epoch + 1);
    // Before the end of the last pass, so after seven: at one alone both may come at once, and who comes second is put off.
    CHECK(outcome.observations[plan.epochs * per_epoch - 1].train_loss < outcome.observations[0].train_loss);
}

TEST_CASE("0 exchanges hot segments once an epoch, of which each worker steps through its share") {
    const Dataset data = rarer_and_rarer();
    Plan plan = async_plan(4);
    plan.exchange.period = 0;
    ToyJob toy(plan, bound(data.view(), plan));
    CHECK(SharedModel(toy.job).segments()[0].period == data.view().rows() / 4);
}

TEST_CASE("replicas that step in turn learn as serial does, whatever their number") { // oracle 18
    const TestSamples samples = random_samples(1'000, 40, 6, 1);
    const Dataset data = toy_dataset(random_samples(1'000, 40, 6, 1));
    for (const std::string_view name : catalog::names<LinearProblems>) {
        CAPTURE(name);
        Plan plan = async_plan(1);
        plan.problem = name;
        const double alone = loss_in_turn(plan, data, samples);
        CHECK(alone < 0.9 * mean_loss(name, samples, std::vector<float>(40)));
        for (const unsigned workers : {2u, 4u, 8u}) {
            plan.threads = workers;
            const double began = mean_loss(name, samples, std::vector<float>(40));
            CHECK(began - loss_in_turn(plan, data, samples) > 0.95 * (began - alone));
        }
    }
}

TEST_CASE("replicas learn where workers are more than cores, too") {
    const Dataset data = crowded();
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const unsigned threads : {2u, 8u}) {
            Plan plan = async_plan(threads);
            plan.problem = problem;
            plan.epochs = 10;
            plan.step.size = 0.05;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            CHECK(outcome.observations.back().train_loss < 0.9 * outcome.observations.front().train_loss);
        }
    }
}

TEST_CASE("every snapshot of replicas is taken, in every order, with backoff, and by more workers than chunks") {
    for (const std::string order : {"permutation", "replacement", "stored"}) {
        for (const unsigned threads : {2u, 50u}) {
            Plan plan = async_plan(threads);
            plan.order = order;
            plan.step.kind = "backoff";
            const Outcome outcome = run(plan, {crowded()});
            REQUIRE(outcome.observations.size() == 41);
            CHECK(outcome.observations.back().updates == 4'000);
        }
    }
}

TEST_CASE("an interrupt ends a run of replicas") {
    Plan plan = async_plan(3);
    check_interrupt_ends(plan);
    plan.threads = 1;
    CHECK(why_not_go_on(plan).empty());
}

TEST_CASE(
    "replicas are of sparse rows and networks, the former on CPU threads, with names and factors that mean something") {
    Plan plan = async_plan(2);
    CHECK(why_not(plan) == "");
    plan.problem = "factorization";
    CHECK(
        why_not(plan) ==
        "async-local-sgd exchanges whole models often, and of factorization a step touches next to none; use local-sgd "
        "or hogwild");
    plan = async_plan(2);
    plan.device = "gpu";
    plan.memory = "device";
    CHECK(why_not(plan) == "a GPU's workers have replicas of networks, not of what hinge steps on; use --device cpu");
    plan = async_plan(2);
    plan.telemetry = "sampled";
    CHECK(why_not(plan) == "async-local-sgd has no concurrent writers, so nothing is stale and nothing is lost");
    plan = async_plan(2);
    plan.exchange.combine = "median";
    CHECK_THROWS_WITH_AS(validate(plan), "unknown combine 'median' (known: sequential, sum, average); use one of these",
                         Error);
    plan = async_plan(2);
    plan.exchange.coupling = 0;
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("--coupling"), Error);
    plan.exchange.coupling = 1;
    plan.exchange.doublings = 17;
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("--exchange-doublings"), Error);
}

TEST_CASE("how replicas exchange is in the text and hash of a plan that has them") {
    Plan plan = async_plan(2, "average");
    const std::uint64_t before = hash(plan);
    plan.exchange.doublings = 7;
    plan.exchange.coupling = 0.5;
    CHECK(hash(plan) != before);
    const Plan again = plan_of(fields(plan));
    CHECK(again.exchange.combine == "average");
    CHECK(again.exchange.doublings == 7);
    CHECK(again.exchange.coupling == 0.5);
    plan.scheme = "local-sgd";
    const std::uint64_t of_local = hash(plan);
    plan.exchange.combine = "sum";
    CHECK(hash(plan) == of_local);
}
