// Replicas of networks that exchange increments and wait for nobody.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/shared_model.h"
#include "kernels/exchange/sequential_share.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_job.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

Plan replicas_plan(unsigned threads, const std::string& combine) {
    Plan plan = images_plan("async-local-sgd", threads);
    plan.exchange.combine = combine;
    plan.exchange.period = 20;
    return plan;
}

/// Replicas of plan.threads workers, which step in one thread.
struct Replicas {
    explicit Replicas(Plan of)
        : plan(std::move(of)),
          data(images_dataset(RandomImages(103, {8, 8, 1}, 4))),
          toy(plan, bound(data.view(), plan), nullptr, kernels_of<Network>()),
          model(toy.job) {
        std::fill_n(toy.buffer.data(), toy.buffer.size(), 0.0f);
        for (unsigned w = 0; w < plan.threads; ++w) {
            all.push_back(std::make_unique<Replica>(model, w));
            all.back()->begin();
        }
    }

    /// The worker moves all of its weights by so much, with so many samples.
    void move(unsigned worker, float by, std::uint32_t samples, double step) {
        for (std::uint32_t j = 0; j < toy.buffer.size(); ++j) all[worker]->weights()[j] += by;
        all[worker]->stepped(samples, step);
    }

    std::vector<float> shared() const { return {toy.buffer.data(), toy.buffer.data() + toy.buffer.size()}; }

    Plan plan;
    Dataset data;
    ToyJob toy;
    SharedModel model;
    std::vector<std::unique_ptr<Replica>> all;
};

} // namespace

TEST_CASE("one worker with a replica walks the path of serial SGD on batches") { // oracle 6
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const std::string combine : {"sequential", "sum", "average"}) {
        Plan plan = replicas_plan(1, combine);
        plan.epochs = 2;
        const std::vector<float> alone = weights_of(plan, data);
        plan.scheme = "serial";
        CHECK(weights_of(plan, data) == alone);
    }
}

TEST_CASE("all of a network is due at once, and of summed increments none is lost and none counts twice") {
    Replicas replicas(replicas_plan(3, "sum"));
    for (const SharedModel::Segment& segment : replicas.model.segments()) CHECK(segment.period == 20);
    float sum = 0;
    for (unsigned round = 0; round < 12; ++round) {
        const float by = 0x1p-10f * static_cast<float>(1 + round);
        replicas.move(round % 3, by, 10, 0.05);
        sum += by;
    }
    for (const auto& replica : replicas.all) replica->give_all(0.05);
    CHECK(replicas.shared() == std::vector<float>(replicas.toy.buffer.size(), sum));
}

TEST_CASE("a replica of a network waits for its period, then has all that others gave") {
    Replicas replicas(replicas_plan(2, "sum"));
    replicas.all[0]->give_all(0); // from here on a whole period
    replicas.all[1]->give_all(0);
    replicas.move(0, 0.25f, 19, 0.05);
    CHECK(replicas.shared() == std::vector<float>(replicas.toy.buffer.size(), 0.0f));
    replicas.move(0, 0.25f, 1, 0.05);
    CHECK(replicas.shared() == std::vector<float>(replicas.toy.buffer.size(), 0.5f));
    replicas.move(1, 0.125f, 20, 0.05);
    const float* weights = replicas.all[1]->weights();
    CHECK(std::all_of(weights, weights + replicas.toy.buffer.size(), [](float each) { return each == 0.625f; }));
}

TEST_CASE("increments of networks come together by the steps that batches made, as if losses had a curvature of 1") {
    constexpr double kStep = 0.05;
    for (const std::uint32_t batch : {1u, 5u}) {
        CAPTURE(batch);
        Plan plan = replicas_plan(4, "sequential");
        plan.batch.size = batch;
        plan.exchange.coupling = 3;
        Replicas replicas(plan);
        replicas.all[0]->give_all(0);
        replicas.move(0, 1.0f, 20, kStep);
        const float e = static_cast<float>(3 * kStep * 20 / batch);
        for (const float each : replicas.shared()) CHECK(each == doctest::Approx(SequentialShare(4)(e)).epsilon(1e-6));
    }
    Replicas averages(replicas_plan(4, "average"));
    averages.all[0]->give_all(0);
    averages.move(0, 1.0f, 20, kStep);
    CHECK(averages.shared() == std::vector<float>(averages.toy.buffer.size(), 0.25f));
}

TEST_CASE("running statistics of replicas are averaged, or the run is refused") {
    Plan plan = replicas_plan(2, "average");
    plan.network.layers = "conv 3 3; batchnorm relu; maxpool 2; dense 4";
    CHECK(why_not(plan) == "");
    for (const std::string combine : {"sequential", "sum"}) {
        plan.exchange.combine = combine;
        CHECK(why_not(plan) ==
              "what several workers moved batchnorm's running averages by would add up to more than one of "
              "them; use --combine average");
    }
}
