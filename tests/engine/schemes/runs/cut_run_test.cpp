// The laws of schemes where samples are edges, whose ends are projected.
#include "engine/data/load.h"
#include "engine/data/synthetic/synthetic_graph.h"
#include "engine/plan/plan.h"
#include "engine/record/cut_rounding.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/test_data.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// 2,000 edges of 40 nodes: crowded, so that workers meet.
Dataset crowded_graph(std::uint32_t classes) { return graph_dataset(random_graph(2'000, 40, classes, 1)); }

} // namespace

TEST_CASE("one worker with any update policy and any guard walks the path of serial SGD over edges" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    for (const std::uint32_t classes : {2u, 3u, 17u}) {
        const Dataset data = crowded_graph(classes);
        Plan plan = cut_plan("serial");
        check_one_worker_walks_serials_path(plan, data);
        plan.scheme = "hogwild";
        plan.update = "noop";
        const std::vector<float> still = weights_of(plan, data);
        CHECK(
            std::all_of(still.begin(), still.end(), [&](float x) { return x == 1.0f / static_cast<float>(classes); }));
    }
}

TEST_CASE("the laws of paths hold over tiles of edges, which large graphs have") { // oracles 6 and 12
    const Dataset data = generate(parse_synthetic_graph("synthetic:grid=256x200", 1), "grid");
    REQUIRE(wants_shuffled(cut_plan("serial"), data));
    Plan plan = cut_plan("serial");
    plan.epochs = 2;
    const std::vector<float> serial = weights_of(plan, data);
    for (const std::string scheme : {"hogwild", "round-robin", "cyclades", "conflict-free"}) {
        plan.scheme = scheme;
        CHECK(weights_of(plan, data) == serial);
    }
    plan.threads = 3;
    CHECK(weights_of(plan, data) == serial); // oracle 8
    plan.scheme = "cyclades";
    CHECK(weights_of(plan, data) == serial);
    plan.threads = 1;
    Plan alone = plan;
    alone.scheme = "minibatch";
    alone.batch.size = 5'000;
    Plan together = alone;
    together.threads = 3;
    CHECK(weights_of(together, data) == weights_of(alone, data));
    plan.scheme = "serial";
    plan.lanes = "scalar";
    CHECK(weights_of(plan, data) == serial); // oracle 11
}

TEST_CASE("minibatch over edges has the same bits at any number of workers") {
    for (const std::uint32_t classes : {2u, 5u})
        check_workers_share_batches(cut_plan("minibatch"), crowded_graph(classes));
}

TEST_CASE("every instruction set walks the same path over edges" * doctest::test_suite("not under ThreadSanitizer")) {
    for (const std::uint32_t classes : {2u, 6u, 20u}) {
        const Dataset data = crowded_graph(classes);
        for (const std::string scheme : {"serial", "minibatch"}) check_instruction_sets(cut_plan(scheme), data);
    }
}

TEST_CASE("every scheme finds the minimum cut of a small grid, which trying all cuts finds too") {
    const Dataset data = generate(parse_synthetic_graph("synthetic:grid=4x4", 5), "grid");
    const auto view = data.view().as<EdgesView>();
    double least = std::numeric_limits<double>::infinity();
    for (unsigned side = 0; side < 1u << 16; ++side) {
        std::vector<std::uint16_t> classes(16);
        for (unsigned node = 0; node < 16; ++node) classes[node] = side >> node & 1;
        least = std::min(least, cut_value(view, classes));
    }
    for (const std::string scheme :
         {"serial", "hogwild", "round-robin", "conflict-free", "cyclades", "minibatch", "local-sgd"}) {
        CAPTURE(scheme);
        const Outcome outcome = run(long_cut_plan(scheme, scheme == "serial" ? 1 : 3), {data});
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == 100 * view.rows);
        CHECK(outcome.nonzeros == 100 * view.nonzeros());
        CHECK(outcome.weights.size() == 16);
        CHECK(outcome.observations.back().scores[0] == least);
    }
}

TEST_CASE("mentions of entities find theirs") {
    const Dataset data = generate(parse_synthetic_graph("synthetic:entities=6,mentions=300", 5), "entities");
    for (const std::string scheme : {"serial", "hogwild", "minibatch"}) {
        CAPTURE(scheme);
        Plan plan = long_cut_plan(scheme, scheme == "serial" ? 1 : 3);
        plan.step.size /= 3;
        if (kThreadSanitizer) plan.epochs = 2;
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.status == "done");
        if (kThreadSanitizer) continue;
        CHECK(outcome.observations.back().scores[1] > 0.95);
        CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
    }
}

TEST_CASE("no guard loses an increment of an edge") {
    for (const std::uint32_t classes : {2u, 5u}) {
        const Dataset data = crowded_graph(classes);
        for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
            Plan plan = cut_plan("hogwild", 3);
            plan.guard = guard;
            plan.telemetry = "exact";
            const Telemetry telemetry = run(plan, {data}).telemetry;
            CHECK(telemetry.increments_issued > 0);
            CHECK(telemetry.increments_issued <= 4 * data.view().nonzeros());
            CHECK(telemetry.increments_lost == 0);
        }
    }
}

TEST_CASE("a step over edges that is too large leaves a cut, never a crash") {
    for (const std::uint32_t classes : {2u, 5u}) {
        Plan plan = cut_plan("hogwild", 2);
        plan.step.size = 1e30;
        const Outcome outcome = run(plan, {crowded_graph(classes)});
        CHECK((outcome.status == "done" || outcome.status == "diverged"));
    }
}

TEST_CASE("the segmentation of an image reaches its minimum cut") {
    const auto file = test_data("cuts/camera64.max.gz");
    if (!file) return;
    LoadOptions options;
    options.samples = EdgesView::kSamples;
    const Dataset data = load(*file, options);
    CHECK(data.view().as<EdgesView>().free == 4'096);
    for (const std::string scheme : {"serial", "hogwild"}) {
        Plan plan = long_cut_plan(scheme, scheme == "serial" ? 1 : 2);
        plan.epochs = 50;
        plan.step.size = 0.2;
        plan.step.decay = 0.95;
        CHECK(run(plan, {data}).observations.back().scores[0] <= 1.01 * 996);
    }
}
