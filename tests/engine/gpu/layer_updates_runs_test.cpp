// Runs on a GPU whose layers have update policies of their own.
#include "engine/gpu/batches/dense_products.h"
#include "engine/plan/plan.h"
#include "tests/engine/gpu/network_runs.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

/// Layers 1, 4 and 6 have weights, the rest has none. Gradients are of both kinds, made in parts and in one piece.
constexpr const char* kBoth = "conv 3 3 relu; maxpool 2; dropout 0.2; dense 9 tanh; dropout 0.1; dense 4";

/// Both ways to step where cuBLAS is there.
std::vector<std::string> ways() {
    if (DenseProducts::why_not().empty()) return {"teams", "graphs"};
    MESSAGE("skipped: graphs, no cuBLAS; to run it: install the cuBLAS of the CUDA that it was built with");
    return {"teams"};
}

Plan layers_plan(const std::string& way, const std::string& layers) {
    Plan plan = gpu_plan("hogwild", kBoth);
    plan.gpu.steps = way;
    plan.network.read = way == "graphs" ? "copy" : "in-place";
    plan.network.update = layers;
    plan.gpu.blocks = 8; // one team
    return plan;
}

/// Whether layer number l, from 0 on, has the same bits in both.
bool same(const Plan& plan, const Dataset& data, std::uint32_t l, const std::vector<float>& a,
          const std::vector<float>& b) {
    const AnyView view = bound(data.view(), plan);
    const Layer& layer = view.as<ImagesView>().network().layers[l];
    return std::equal(a.begin() + layer.weights, a.begin() + layer.end(), b.begin() + layer.weights);
}

} // namespace

TEST_CASE("on a GPU layers that all have a policy have its bits, whatever that of the run") {
    if (no_device()) return;
    const Dataset data = few_images();
    for (const std::string& way : ways()) {
        CAPTURE(way);
        std::vector<float> learned;
        for (const std::string policy : {"racy", "atomic", "noop"}) { // one worker: each entry has one thread that adds
            CAPTURE(policy);
            Plan plan = layers_plan(way, "1=" + policy + "+4=" + policy + "+6=" + policy);
            plan.update = policy == "noop" ? "racy" : "noop";
            const std::vector<float> weights = run(plan, {data}).weights;
            plan.network.update = "none";
            CHECK(weights != run(plan, {data}).weights);
            plan.update = policy;
            CHECK(weights == run(plan, {data}).weights);
            if (policy == "racy") learned = weights;
            CHECK((weights == learned) == (policy != "noop"));
        }
    }
}

TEST_CASE("on a GPU a layer with noop keeps its first weights to the bit, and the others learn" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Dataset data = few_images();
    Plan still = layers_plan("teams", "none");
    still.update = "noop";
    const std::vector<float> first = run(still, {data}).weights;
    for (const std::string& way : ways()) {
        for (const auto& place : {std::pair{"gpu", "device"},
                                  {"gpu", "mapped"},
                                  {"gpu", "replica"},
                                  {"both", "replica"},
                                  {"both", "managed-host"}}) {
            const char *const device = place.first, *const memory = place.second;
            for (const std::uint32_t quiet : {0u, 3u, 5u}) {
                CAPTURE(way);
                CAPTURE(device);
                CAPTURE(memory);
                CAPTURE(quiet);
                Plan plan = layers_plan(way, std::to_string(quiet + 1) + "=noop");
                plan.device = device;
                plan.memory = memory;
                plan.gpu.streams = 2;
                plan.gpu.blocks = 16;
                plan.threads = 2;
                const std::vector<float> weights = run(plan, {data}).weights;
                for (const std::uint32_t l : {0u, 3u, 5u}) CHECK(same(plan, data, l, weights, first) == (l == quiet));
            }
        }
    }
}

TEST_CASE("on a GPU layers whose policies are all atomic lose nothing under racy, and one with noop issues nothing") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(1'000, {8, 8, 1}, 4));
    for (const std::string& way : ways()) {
        CAPTURE(way);
        Plan plan = layers_plan(way, "1=atomic+4=atomic+6=atomic");
        plan.update = "racy";
        plan.telemetry = "exact";
        plan.gpu.streams = 4;
        plan.gpu.blocks = 64;
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.status == "done");
        CHECK(outcome.gpu.increments_issued > 0);
        CHECK(outcome.telemetry.increments_lost == 0);
        plan.network.update = "1=noop+4=noop+6=atomic";
        const Outcome last = run(plan, {data});
        CHECK(last.telemetry.increments_lost == 0);
        CHECK(last.gpu.increments_issued > 0);
        CHECK(last.gpu.increments_issued <=
              2 * 200 * 4 * (9 + 1)); // two epochs of 200 steps on the last layer's entries
    }
}
