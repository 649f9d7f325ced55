// Runs whose layers have update policies of their own.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_job.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// Layers 1, 3 and 5 have weights, the rest has none.
Plan layers_plan(const std::string& layers, unsigned threads = 1) {
    Plan plan = images_plan("hogwild", threads);
    plan.network.update = layers;
    return plan;
}

} // namespace

TEST_CASE("layers that all have a policy have its bits, whatever that of the run") {
    const Dataset data = few_images();
    for (const std::string policy : {"racy", "atomic", "noop"}) {
        for (const std::string lanes : {"auto", "scalar"}) {
            CAPTURE(policy);
            Plan plan = layers_plan("1=" + policy + "+3=" + policy + "+5=" + policy);
            plan.lanes = lanes;
            plan.update = policy == "noop" ? "racy" : "noop";
            const std::vector<float> weights = weights_of(plan, data);
            plan.network.update = "none";
            CHECK(weights != weights_of(plan, data));
            plan.update = policy;
            CHECK(weights == weights_of(plan, data));
        }
    }
}

TEST_CASE("a layer with noop keeps its first weights, and the others learn") {
    const Dataset data = few_images();
    Plan plan = layers_plan("3=noop");
    const AnyView view = bound(data.view(), plan);
    const NetworkShape& network = view.as<ImagesView>().network();
    const std::vector<float> weights = weights_of(plan, data);
    plan.network.update = "none";
    plan.update = "noop";
    const std::vector<float> first = weights_of(plan, data);
    const auto same = [&](std::uint32_t layer) {
        const std::uint32_t begin = network.layers[layer].weights,
                            end = network.layers[layer].biases() + network.layers[layer].out.channels;
        return std::equal(weights.begin() + begin, weights.begin() + end, first.begin() + begin);
    };
    CHECK_FALSE(same(0));
    CHECK(same(2));
    CHECK_FALSE(same(4));
}

TEST_CASE("no increment of an atomic layer is lost, and none of a layer with noop is made, beside racy ones") {
    const Dataset data = few_images();
    Plan plan = layers_plan("1=noop+3=atomic", 4);
    plan.telemetry = "exact";
    plan.epochs = 6;
    const AnyView view = bound(data.view(), plan);
    const NetworkShape& network = view.as<ImagesView>().network();
    ToyJob toy(plan, view, nullptr, kernels_of<Network>());
    make_scheme("hogwild")->run(toy.job);
    const float steps = 6 * 21; // 103 images in batches of 5
    const float* const counts = toy.contexts.shadow()->data();
    for (std::uint32_t j = 0; j < network.coordinates; ++j) {
        if (j < network.layers[2].weights) {
            CHECK(counts[j] == 0);
        } else if (j < network.layers[4].weights) {
            CHECK(counts[j] == steps);
        } else {
            CHECK(counts[j] <= steps);
        }
    }
}

TEST_CASE("layers whose policies are all atomic lose nothing under racy") {
    Plan plan = layers_plan("1=atomic+3=atomic+5=atomic", 4);
    plan.telemetry = "exact";
    const Telemetry telemetry = run(plan, {few_images()}).telemetry;
    CHECK(telemetry.increments_issued > 0);
    CHECK(telemetry.increments_lost == 0);
}

TEST_CASE("layers that there are not, and runs without a choice of updates, are refused") {
    const auto refused = [](const char* why, Plan plan, const Dataset& data = few_images()) {
        CAPTURE(why);
        CHECK_THROWS_WITH_AS(run(plan, {data}), doctest::Contains(why), Error);
    };
    refused("the network has 5 layers, and none is number 6", layers_plan("6=racy"));
    refused("layer 2, maxpool", layers_plan("2=atomic"));
    refused("names no layer", layers_plan("conv=atomic"));
    Plan plan = layers_plan("1=atomic", 2);
    plan.guard = "locked";
    refused("only hogwild without a guard has a choice of updates", plan);
    plan.guard = "none";
    plan.scheme = "minibatch";
    refused("only hogwild without a guard has a choice of updates", plan);
    plan.device = "gpu";
    plan.memory = "device";
    refused("only hogwild without a guard has a choice of updates", plan);
    Plan noop = layers_plan("1=noop");
    noop.optimizer.name = "adam";
    refused("noop writes no weight for adam to go by", noop);
    Plan sparse = toy_plan("hogwild", 2);
    sparse.network.update = "1=atomic";
    refused("hinge has no layers", sparse, crowded());
}
