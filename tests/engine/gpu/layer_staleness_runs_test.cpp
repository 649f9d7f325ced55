// Staleness of single layers of a network whose workers are a GPU's.
#include "engine/gpu/batches/dense_products.h"
#include "engine/plan/plan.h"
#include "tests/engine/gpu/network_runs.h"

#include <string>
#include <vector>

using namespace hogwild;

namespace {

constexpr const char* kParts =
    "conv 3 3 relu; maxpool 2; dropout 0.2; dense 9 tanh; dense 4"; // layers 1, 4 and 5 have weights
constexpr std::uint64_t kTaken = 400;                               // of five images

Dataset many_images() { return images_dataset(RandomImages(1'000, {8, 8, 1}, 4)); }

Plan watched_plan(const std::string& way, const std::string& network) {
    Plan plan = gpu_plan("hogwild", network);
    plan.gpu.steps = way;
    plan.network.read = way == "graphs" ? "copy" : "in-place";
    plan.telemetry = "sampled";
    plan.gpu.blocks = 8;
    return plan;
}

std::vector<std::string> ways() {
    if (DenseProducts::why_not().empty()) return {"teams", "graphs"};
    MESSAGE("skipped: graphs, no cuBLAS; to run it: install the cuBLAS of the CUDA that it was built with");
    return {"teams"};
}

/// Every step is counted in every layer that has weights, and no layer is staler in the mean than so many workers can
/// make it. What one of them writes comes between the others' looks and writes at most once each.
void check_counts(const Outcome& outcome, const std::vector<bool>& weighted, std::uint64_t steps, double workers) {
    CHECK(outcome.status == "done");
    REQUIRE(outcome.gpu.layers.size() == weighted.size());
    for (std::size_t l = 0; l < weighted.size(); ++l) {
        CAPTURE(l);
        const StalenessSummary& layer = outcome.gpu.layers[l];
        CHECK(layer.count == (weighted[l] ? steps : 0));
        if (weighted[l]) CHECK(layer.mean <= workers - 1);
    }
}

} // namespace

TEST_CASE("every step of a GPU is counted in every layer that has weights, and one worker's are never stale") {
    if (no_device()) return;
    const Dataset data = many_images();
    for (const std::string& way : ways()) {
        for (const std::string telemetry : {"sampled", "exact"}) {
            CAPTURE(way);
            CAPTURE(telemetry);
            Plan plan = watched_plan(way, kParts);
            plan.telemetry = telemetry;
            check_counts(run(plan, {data}), {true, false, false, true, true}, kTaken, 1);
            plan.network.read = "copy";
            check_counts(run(plan, {data}), {true, false, false, true, true}, kTaken, 1);
            plan.network.layers = "dense 12 relu; dropout 0.2; dense 4";
            check_counts(run(plan, {data}), {true, false, true}, kTaken, 1);
        }
    }
}

TEST_CASE("layers of several workers of a GPU are as stale as the others make them, and no more") {
    if (no_device()) return;
    const Dataset data = many_images();
    for (const std::string& way : ways()) {
        for (const std::string read : {"in-place", "copy"}) {
            if (way == "graphs" && read == "in-place") continue;
            CAPTURE(way);
            CAPTURE(read);
            Plan plan = watched_plan(way, kParts);
            plan.network.read = read;
            plan.gpu.streams = 4;
            plan.gpu.blocks = 16;
            const Outcome outcome = run(plan, {data});
            check_counts(outcome, {true, false, false, true, true}, outcome.gpu.staleness.count,
                         way == "teams" ? 8 : 4);
            CHECK(outcome.gpu.staleness.count >= kTaken);
        }
    }
}

TEST_CASE("steps that a rule drops write no layer") {
    if (no_device()) return;
    Plan plan = watched_plan("teams", kParts);
    plan.gpu.blocks = 64;
    plan.staleness.rule = "drop";
    plan.staleness.limit = 1;
    const Outcome outcome = run(plan, {many_images()});
    check_counts(outcome, {true, false, false, true, true}, kTaken - outcome.telemetry.steps_dropped, 8);
    CHECK(outcome.telemetry.steps_dropped > 0);
}

TEST_CASE("watching layers on a GPU changes no bit of a team's weights, and is off with telemetry") {
    if (no_device()) return;
    const Dataset data = many_images();
    for (const std::string& way : ways()) {
        CAPTURE(way);
        Plan plan = watched_plan(way, kParts);
        const std::vector<float> weights = run(plan, {data}).weights;
        plan.telemetry = "off";
        const Outcome unwatched = run(plan, {data});
        CHECK(unwatched.gpu.layers.empty());
        CHECK(unwatched.weights == weights);
    }
}

TEST_CASE("threads and teams count layers each for their own device") {
    if (no_device()) return;
    Plan plan = watched_plan("teams", kParts);
    plan.device = "both";
    plan.memory = "replica";
    plan.threads = 2;
    plan.gpu.blocks = 16;
    const Outcome outcome = run(plan, {images_dataset(RandomImages(4'000, {8, 8, 1}, 4))});
    check_counts(outcome, {true, false, false, true, true}, outcome.gpu.staleness.count, 2);
    REQUIRE(outcome.telemetry.layers.size() == 5);
    CHECK(outcome.telemetry.layers[0].count == outcome.batches.cpu.steps);
    CHECK(outcome.telemetry.layers[4].count == outcome.batches.cpu.steps);
}
