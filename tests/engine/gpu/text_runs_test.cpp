// Whole runs over text with GPU streams, alone and beside CPU threads.
#include "engine/plan/plan.h"
#include "tests/device.h"
#include "tests/engine/toys/toy_text.h"

#include <cmath>

using namespace hogwild;

namespace {

/// Asked about words of one topic, and of two.
Dataset topics() {
    std::vector<WordPair> pairs;
    for (std::uint32_t a = 0; a < 20; ++a) {
        for (std::uint32_t b = 0; b < a; ++b) pairs.push_back({a, b, a % 2 == b % 2 ? 10.0f : 0.0f});
    }
    return text_dataset(two_topics(), std::move(pairs));
}

Plan on_gpu(const std::string& update) {
    Plan plan = text_plan("hogwild");
    plan.device = "gpu";
    plan.memory = "device";
    plan.update = update;
    return plan;
}

} // namespace

TEST_CASE("streams learn which words stand together, on every memory, alone and beside threads" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Dataset data = topics();
    Plan plan = text_plan("hogwild", 2);
    plan.epochs = 10;
    plan.gpu.streams = 2;
    plan.gpu.blocks = 1; // words are few: many windows at once would be of the same
    for (const double dim : {8.0, 30.0}) {
        plan.parameters = {dim, 5, 5, 0, dim == 8 ? 1.0 : 0.0};
        for (const auto& [device, memory, update] : {std::tuple{"gpu", "device", "atomic"},
                                                     {"gpu", "device", "racy"},
                                                     {"gpu", "mapped", "atomic"},
                                                     {"gpu", "managed", "atomic"},
                                                     {"gpu", "replica", "atomic"},
                                                     {"both", "managed-host", "atomic"},
                                                     {"both", "replica", "atomic"},
                                                     {"both", "replica", "racy"}}) {
            CAPTURE(device);
            CAPTURE(memory);
            CAPTURE(update);
            plan.device = device;
            plan.memory = memory;
            plan.update = update;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            CHECK(outcome.updates == 60'000);
            const auto size = static_cast<std::size_t>(dim);
            REQUIRE(outcome.weights.size() == 2 * 20 * size);
            const Observation &first = outcome.observations.front(), &last = outcome.observations.back();
            CHECK(last.train_loss < 0.8 * first.train_loss);
            CHECK(last.scores[0] > 0.6);       // of two tied ranks, against distinct ones: 0.866 at most
            CHECK(std::isnan(last.scores[1])); // nobody asked
            for (std::size_t w = 2; w < 20; ++w)
                CHECK(cosine(outcome.weights, size, w, w % 2) > cosine(outcome.weights, size, w, 1 - w % 2) + 0.1);
        }
    }
}

TEST_CASE("noop leaves the weights where they began") {
    if (no_device()) return;
    Plan plan = on_gpu("noop");
    plan.epochs = 1;
    const Outcome outcome = run(plan, {topics()});
    CHECK(outcome.status == "done");
    CHECK(outcome.observations.back().train_loss == outcome.observations.front().train_loss);
}

TEST_CASE("streams measure how stale a window's reading is, and what is lost; atomic loses nothing") {
    if (no_device()) return;
    Plan plan = on_gpu("atomic");
    plan.gpu.blocks = 4;
    for (const std::string telemetry : {"sampled", "exact"}) {
        plan.telemetry = telemetry;
        const Outcome outcome = run(plan, {topics()});
        CHECK(outcome.status == "done");
        CHECK(outcome.gpu.staleness.count > 0);
        CHECK(outcome.telemetry.increments_lost == 0);
    }
}

TEST_CASE("a step over text that is too large is a diverged run, not a crash") {
    if (no_device()) return;
    Plan plan = on_gpu("atomic");
    plan.step.size = 1e20;
    CHECK(run(plan, {topics()}).status == "diverged");
}
