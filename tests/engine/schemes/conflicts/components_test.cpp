// Components of batches against brute force, and how they are shared out.
#include "engine/plan/plan.h"
#include "engine/schemes/conflicts/components.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// The first sample of each one's component, by passing the smaller number along every conflict until nothing changes.
std::vector<std::uint32_t> by_brute_force(const AnyView& data, const std::vector<std::uint32_t>& samples) {
    std::vector<std::set<std::uint32_t>> groups(samples.size());
    data.visit([&](const auto& view) {
        for (std::size_t i = 0; i < samples.size(); ++i)
            view.row(samples[i]).for_each_group([&](std::uint32_t group) { groups[i].insert(group); });
    });
    std::vector<std::uint32_t> first(samples.size());
    for (std::uint32_t i = 0; i < first.size(); ++i) first[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t i = 0; i < first.size(); ++i) {
            for (std::uint32_t j = 0; j < first.size(); ++j) {
                const bool meet =
                    std::ranges::any_of(groups[i], [&](std::uint32_t g) { return groups[j].contains(g); });
                if (!meet || first[i] <= first[j]) continue;
                first[i] = first[j];
                changed = true;
            }
        }
    }
    return first;
}

/// Checks the batch of an epoch at positions [first, first + count).
void check_batch(ComponentFinder& finder, const Dataset& data, const std::string& order, std::uint32_t first,
                 std::uint32_t count, std::uint32_t workers) {
    OrderCursor cursor(order, data.view(), 3);
    std::vector<std::uint32_t> samples(count);
    fill(cursor, 1, first, count, samples.data());
    BatchShares shares(workers, count);
    finder.find(1, first, count, shares);
    const std::vector<std::uint32_t> roots = by_brute_force(data.view(), samples);
    std::vector<int> owners(count, -1);
    std::vector<std::uint64_t> loads(workers);
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
        const BatchShare share = shares.of(worker);
        CHECK(std::ranges::is_sorted(share.positions));
        REQUIRE(share.positions.size() == share.samples.size());
        for (std::size_t k = 0; k < share.positions.size(); ++k) {
            const std::uint32_t i = share.positions[k] - first;
            REQUIRE(i < count);
            CHECK(owners[i] == -1); // each once
            owners[i] = static_cast<int>(worker);
            CHECK(share.samples[k] == samples[i]);
            data.view().visit([&](const auto& view) {
                view.row(samples[i]).for_each_group([&](std::uint32_t) { ++loads[worker]; });
            });
        }
    }
    CHECK(std::ranges::count(owners, -1) == 0);
    std::vector<std::uint64_t> costs(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (workers > 1) CHECK(finder.component(i) == roots[i]);
        CHECK(owners[i] == owners[roots[i]]);
        data.view().visit(
            [&](const auto& view) { view.row(samples[i]).for_each_group([&](std::uint32_t) { ++costs[roots[i]]; }); });
    }
    // By greedy packing, whoever has most had least before its last component, which is no more than the costliest.
    const auto [least, most] = std::ranges::minmax_element(loads);
    CHECK(*most <= *least + *std::ranges::max_element(costs));
}

} // namespace

TEST_CASE("components are those that brute force finds, each is one worker's, and every sample is in one share") {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        // From nearly no conflicts to one component; of several coordinates a sample, and of ratings' two.
        for (const std::uint32_t columns : {5u, 60u, 300u, 3'000u}) {
            const Dataset rows = toy_dataset(random_samples(200, columns, 3, seed));
            const Dataset ratings = ratings_dataset(random_ratings(200, columns, columns, {.rank = 2}, seed));
            for (const Dataset* data : {&rows, &ratings}) {
                for (const char* order : {"permutation", "stored", "replacement"}) {
                    ComponentFinder finder(order, data->view(), 3, 200);
                    for (const std::uint32_t workers : {1u, 2u, 4u, 7u}) {
                        check_batch(finder, *data, order, 0, 50, workers); // one after the other, by one finder
                        check_batch(finder, *data, order, 50, 120, workers);
                        check_batch(finder, *data, order, 170, 1, workers);
                    }
                }
            }
        }
    }
}

TEST_CASE(
    "a run in batches of any size steps on every sample once an epoch, and ends with serial's weights") { // oracles 5, 7, 8
    const Dataset data = disjoint();
    Plan plan = toy_plan("serial");
    plan.problem = "squared";
    const std::vector<float> serial = weights_of(plan, data);
    plan.scheme = "cyclades";
    for (const unsigned threads : {1u, 2u, 4u}) {
        for (const std::uint32_t batch : {1u, 2u, 37u, 256u, 1'000u}) { // of chunks of 8, and observations of 60
            plan.threads = threads;
            plan.batch.size = batch;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.weights == serial);
            REQUIRE(outcome.observations.size() == 41);
            for (std::uint64_t i = 0; i < 41; ++i) {
                CHECK(outcome.observations[i].updates % 8 == 0);
                CHECK(outcome.observations[i].updates >= i * 60);
                CHECK(outcome.observations[i].updates < i * 60 + 8);
            }
        }
    }
}

TEST_CASE("an observation of cyclades is serial's, at any number of workers") {
    const Dataset data = crowded();
    Plan plan = toy_plan("serial");
    plan.problem = "logistic";
    const Outcome serial = run(plan, {data});
    plan.scheme = "cyclades";
    plan.threads = 4;
    const Outcome outcome = run(plan, {data});
    REQUIRE(outcome.observations.size() == serial.observations.size());
    for (std::size_t i = 0; i < serial.observations.size(); ++i) {
        CHECK(outcome.observations[i].updates == serial.observations[i].updates);
        CHECK(outcome.observations[i].train_loss == serial.observations[i].train_loss);
    }
}

TEST_CASE("an interrupt ends a run of cyclades between two rounds") {
    const std::atomic<bool> interrupt{true};
    RunInputs inputs{crowded()};
    inputs.interrupt = &interrupt;
    for (const double l2 : {0.0, 0.7}) { // with eras that nobody may wait for
        for (const char* step : {"decay", "backoff"}) {
            Plan plan = toy_plan("cyclades", 3);
            plan.l2 = l2;
            plan.step.kind = step;
            CHECK(run(plan, inputs).status == "interrupted");
        }
    }
}

TEST_CASE("cyclades is of CPU threads and of steps that need not touch every weight") {
    Plan plan = toy_plan("cyclades", 2);
    CHECK(why_not(plan) == "");
    plan.telemetry = "sampled";
    CHECK(why_not(plan) == "cyclades has no concurrent writers, so nothing is stale and nothing is lost");
    plan = toy_plan("cyclades", 2);
    plan.device = "gpu";
    plan.memory = "device";
    CHECK(why_not(plan) == "cyclades runs on CPU threads");
    plan = toy_plan("cyclades", 2);
    plan.problem = "network";
    CHECK(why_not(plan) == "every step of network touches every weight, so none goes beside another");
}
