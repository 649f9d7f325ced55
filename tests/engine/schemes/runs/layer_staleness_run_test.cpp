// Staleness of single layers of a network.
#include "engine/plan/plan.h"
#include "engine/workers/contexts.h"
#include "kernels/catalog.h"
#include "kernels/lanes/scalar.h"
#include "kernels/patterns/image_batches.h"
#include "tests/engine/toys/toy_images.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

using Step = ImageBatches::Step<hogwild::Network, ScalarLanes>;

Plan sampled_plan(unsigned threads) {
    Plan plan = images_plan("hogwild", threads);
    plan.telemetry = "sampled";
    return plan;
}

/// Adds as racy does, after it called `before` with the coordinate that a row begins at.
struct Watching {
    const float* weights;
    std::function<void(std::uint32_t)> before;

    template <class Lanes>
    void add_dense(float* row, const float* by, std::uint32_t size, float scale) const {
        before(static_cast<std::uint32_t>(row - weights));
        Racy().template add_dense<Lanes>(row, by, size, scale);
    }
};

/// Two workers of one run whose steps a test takes by hand.
struct Workers {
    explicit Workers(Plan of)
        : plan(std::move(of)),
          data(few_images()),
          view(bound(data.view(), plan)),
          images(view.as<ImagesView>()),
          weights(images.coordinates(), 0.1f),
          contexts(plan, view, 2, true, ImageBatches::step_scratch(images, 1, plan.network.read == "copy")) {
        chunk.samples = &sample;
        chunk.count = 1;
        chunk.weights = weights.data();
        chunk.step = 0.01;
        chunk.scale = 1;
        chunk.seed = 1;
    }

    /// The largest staleness of each layer, or -1 where none was counted.
    std::vector<double> most() {
        std::vector<double> found;
        for (const StalenessSummary& layer : contexts.telemetry().layers)
            found.push_back(layer.count == 0 ? -1 : layer.max);
        return found;
    }

    Plan plan;
    Dataset data;
    AnyView view;
    const ImagesView& images;
    std::vector<float> weights;
    WorkerContexts contexts;
    std::uint32_t sample = 0;
    Chunk chunk{};
};

} // namespace

TEST_CASE("what others write to a layer between a step's look at it and its own write makes it stale there, and "
          "nothing else") {
    for (const std::string read : {"in-place", "copy"}) {
        CAPTURE(read);
        Plan plan = sampled_plan(2);
        plan.network.read = read;
        Workers workers(plan);
        const ImageBatch batch{&workers.sample, 1, workers.images.groups(), workers.images.coordinates()};
        Step one(workers.images, workers.chunk, workers.contexts[0]),
            other(workers.images, workers.chunk, workers.contexts[1]);
        bool done = false;
        const std::uint32_t third = workers.images.network().layers[2].weights;
        const Watching racy{workers.weights.data(), [](std::uint32_t) {}};
        const Watching interrupted{workers.weights.data(), [&](std::uint32_t at) {
                                       if (at < third || done) return;
                                       done = true; // the first layer is written, the third is not
                                       other.read(batch);
                                       other.write(racy, batch);
                                   }};
        one.read(batch);
        one.write(interrupted, batch);
        REQUIRE(done);
        CHECK(workers.most() == std::vector<double>{0, -1, 1, -1, 1});
        one.read(batch);
        other.read(batch);
        for (int step = 0; step < 3; ++step) other.write(racy, batch);
        one.write(racy, batch);
        CHECK(workers.most() == std::vector<double>{3, -1, 3, -1, 3});
    }
}

TEST_CASE("every step is counted in every layer that has weights, and one worker's are never stale") {
    const Dataset data = few_images();
    for (const unsigned threads : {1u, 3u}) {
        for (const std::string telemetry : {"sampled", "exact"}) {
            Plan plan = sampled_plan(threads);
            plan.telemetry = telemetry;
            const Telemetry found = run(plan, {data}).telemetry;
            REQUIRE(found.layers.size() == 5);
            for (std::size_t l = 0; l < 5; ++l) {
                CHECK(found.layers[l].count == (l == 1 || l == 3 ? 0 : plan.epochs * 21)); // 103 images in batches of 5
                if (threads == 1 && found.layers[l].count > 0) CHECK(found.layers[l].max == 0);
            }
        }
    }
}

TEST_CASE("layers are counted where telemetry watches steps on them, and their weights are what they were") {
    const Dataset data = few_images();
    Plan plan = sampled_plan(1);
    const std::vector<float> weights = weights_of(plan, data);
    plan.telemetry = "off";
    CHECK(run(plan, {data}).telemetry.layers.empty());
    CHECK(weights_of(plan, data) == weights);
    plan.telemetry = "sampled";
    plan.guard = "publish";
    CHECK(run(plan, {data}).telemetry.layers.empty());
    Plan sparse = toy_plan("hogwild", 2);
    sparse.telemetry = "sampled";
    CHECK(run(sparse, {crowded()}).telemetry.layers.empty());
}
