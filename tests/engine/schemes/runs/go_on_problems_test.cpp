// Runs in two parts of every kind of samples, networks and their layers above all.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "tests/engine/schemes/run_in_two_parts.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>

using namespace hogwild;

namespace {

/// Schemes with one thread, in which nothing is left to chance.
void check_alone(Plan plan, const Dataset& data, std::initializer_list<const char*> schemes) {
    plan.epochs = 2;
    plan.observations_per_epoch = 3;
    for (const char* scheme : schemes) {
        plan.scheme = scheme;
        check_that_every_part_ends_alike(plan, data);
    }
}

} // namespace

TEST_CASE("a network goes on bit by bit, its warm-up, dropped units and running statistics with it") {
    for (const char* layers : {"dense 8 relu; dense 4", "conv 3 3 relu; maxpool 2; dropout 0.3; dense 4",
                               "batchnorm; dense 8; batchnorm tanh; dropout 0.2; dense 4"}) {
        CAPTURE(layers);
        for (const std::uint32_t batch : {2u, 7u}) {
            CAPTURE(batch);
            Plan plan = images_plan("serial");
            plan.network.layers = layers;
            plan.batch.size = batch;
            plan.exchange.combine = "average";
            plan.step = {.kind = "linear", .size = 0.05, .warm_up = 0.4};
            check_alone(plan, few_images(160), {"serial", "hogwild", "minibatch", "local-sgd", "async-local-sgd"});
        }
    }
}

TEST_CASE("ratings, graphs and texts go on bit by bit") {
    const auto schemes = {"serial", "hogwild", "round-robin", "minibatch", "local-sgd"};
    check_alone(ratings_plan("serial"), ratings_dataset(random_ratings(600, 30, 20, {.mean = 3}, 2)), schemes);
    check_alone(cut_plan("serial"), graph_dataset(random_graph(600, 40, 3, 2)), schemes);
    check_alone(text_plan("serial"), text_dataset(two_topics()), schemes);
}

TEST_CASE("snapshots of a model of another size are refused") {
    const Dataset data = few_images(160);
    Plan plan = images_plan("serial");
    Kept kept(coordinates(data.view(), plan));
    run(plan, {.train = data, .sink = &kept});
    const Part before = kept.part(1);
    plan.network.layers = "dense 4";
    CHECK_THROWS_WITH_AS(run(plan, {.train = data, .before = &before}),
                         doctest::Contains("this plan cannot be gone on with (its snapshots hold "), Error);
}

TEST_CASE("snapshots that lie outside the run are refused before anything is indexed by them") {
    const Dataset data = ratings_dataset(random_ratings(600, 30, 20, {.mean = 3}, 2));
    const Plan plan = ratings_plan("serial");
    Kept kept(coordinates(data.view(), plan));
    run(plan, {.train = data, .sink = &kept});
    const auto refused = [&](const char* why, auto change) {
        Snapshot snapshot = kept.snapshots()[0];
        change(snapshot);
        Part before = kept.part(1);
        before.snapshots = {&snapshot, 1};
        CHECK_THROWS_WITH_AS(run(plan, {.train = data, .before = &before}), doctest::Contains(why), Error);
    };
    refused("snapshot 1: it is observation ", [](Snapshot& snapshot) { snapshot.number = 1ULL << 40; });
    refused("snapshot 1: it comes after ", [](Snapshot& snapshot) { snapshot.updates = ~0ULL; });
    refused("snapshot 1: its scale is ", [](Snapshot& snapshot) { snapshot.scale = -1; });
    Part before = kept.part(1);
    before.snapshots = {};
    CHECK_THROWS_WITH_AS(run(plan, {.train = data, .before = &before}), doctest::Contains("there is no snapshot"),
                         Error);
}
