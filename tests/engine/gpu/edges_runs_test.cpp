// Whole runs over edges with GPU streams, alone and beside CPU threads.
#include "engine/data/synthetic/synthetic_graph.h"
#include "engine/plan/plan.h"
#include "tests/device.h"
#include "tests/engine/toys/toy_graph.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

const std::vector<std::pair<std::string, std::string>> kPlaces = {
    {"gpu", "device"}, {"gpu", "managed"}, {"gpu", "replica"}, {"both", "managed-host"}, {"both", "replica"}};

Dataset synthetic(const std::string& name) { return generate(parse_synthetic_graph(name, 5), "graph"); }

Plan on(Plan plan, const std::pair<std::string, std::string>& place) {
    plan.device = place.first;
    plan.memory = place.second;
    plan.threads = 2;
    plan.gpu.blocks = 8;
    return plan;
}

/// Increments of several workers may leave a row outside the simplex, by no more than their steps, which are small at the end.
bool near_simplex(const std::vector<float>& weights) {
    return std::ranges::all_of(weights, [](float x) { return x > -0.1f && x < 1.1f; });
}

void check_cuts(const std::string& device) {
    if (no_device()) return;
    const Dataset data = synthetic("synthetic:grid=16x16");
    const Outcome serial = run(long_cut_plan("serial"), {data});
    for (const auto& place : kPlaces) {
        if (place.first != device) continue;
        for (const std::string update : {"racy", "atomic"}) {
            INFO(place.second, ", ", update);
            Plan plan = on(long_cut_plan("hogwild"), place);
            plan.update = update;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            CHECK(outcome.updates == 100 * data.view().rows());
            CHECK(outcome.weights.size() == 256);
            const Observation &first = outcome.observations.front(), &last = outcome.observations.back();
            CHECK(last.train_loss < first.train_loss);
            if (update == "racy") continue; // most increments of so few nodes are lost
            CHECK(last.train_loss < serial.observations.back().train_loss + 0.1 * first.train_loss);
            if (device != "gpu") continue;
            CHECK(outcome.gpu.updates == outcome.updates);
            CHECK(near_simplex(outcome.weights));
            CHECK(last.scores[0] <= 1.01 * serial.observations.back().scores[0]);
        }
    }
}

} // namespace

TEST_CASE("streams find the minimum cut that serial finds, on every memory") { check_cuts("gpu"); }

TEST_CASE("they find it beside threads" * doctest::test_suite("no tool")) { check_cuts("both"); }

TEST_CASE("streams find whom mentions mean, among several") {
    if (no_device()) return;
    const Dataset data = synthetic("synthetic:entities=6,mentions=300");
    for (const auto& place : kPlaces) {
        INFO(place.first, ", ", place.second);
        Plan plan = on(long_cut_plan("hogwild"), place);
        plan.step.size /= 3;
        plan.gpu.streams = 1;
        plan.gpu.blocks = 1;
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.status == "done");
        CHECK(near_simplex(outcome.weights));
        CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
        if (place.first == "gpu") CHECK(outcome.observations.back().scores[1] > 0.95);
    }
}

TEST_CASE("rows that many edges bring back at once stay near the simplex") {
    if (no_device()) return;
    const Dataset data = synthetic("synthetic:entities=6,mentions=300");
    Plan plan = on(long_cut_plan("hogwild"), kPlaces.front());
    plan.step.size /= 3;
    plan.gpu.blocks = 66; // all edges in flight
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.status == "done");
    CHECK(near_simplex(outcome.weights));
}

TEST_CASE("streams step through blocks of edges that are stored tile by tile, to serial's loss" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Dataset data = synthetic("synthetic:grid=256x200");
    Plan plan = long_cut_plan("serial");
    plan.epochs = 30;
    plan.step.decay = 0.9;
    REQUIRE(wants_shuffled(plan, data));
    const double serial = run(plan, {data}).observations.back().train_loss;
    plan.scheme = "hogwild";
    for (const auto& place : {kPlaces.front(), kPlaces.back()}) {
        const Plan wide = on(plan, place);
        REQUIRE(wants_shuffled(wide, data));
        const Outcome outcome = run(wide, {data});
        CHECK(outcome.status == "done");
        CHECK(outcome.observations.back().train_loss < 1.05 * serial);
    }
}

TEST_CASE("a step over edges that is too large leaves a cut, never a crash, on a GPU as well") {
    if (no_device()) return;
    for (const std::uint32_t classes : {2u, 5u}) {
        Plan plan = on(cut_plan("hogwild"), kPlaces.front());
        plan.step.size = 1e30;
        const Outcome outcome = run(plan, {graph_dataset(random_graph(2'000, 40, classes, 1))});
        CHECK((outcome.status == "done" || outcome.status == "diverged"));
    }
}
