// Whole runs with GPU streams, alone and beside CPU threads.
#include "engine/gpu/batches/dense_products.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "tests/device.h"
#include "tests/engine/schemes/exact_run.h"

#include <atomic>
#include <cmath>
#include <thread>

using namespace hogwild;

namespace {

Plan on(const std::string& device, const std::string& memory) {
    Plan plan = exact_plan("hogwild", 2);
    plan.device = device;
    plan.memory = memory;
    plan.gpu.blocks = 16;
    return plan;
}

/// Any coordinates are copied: the samples are not renumbered.
void keep_copies(Plan& plan, std::uint32_t hot) {
    plan.hot.count = hot;
    plan.placement = hot > 0 ? "hot-first" : "stored";
}

std::vector<float> serial_weights(const Dataset& data) { return weights_of(exact_plan("serial"), data); }

void check_exact_on(const std::vector<std::string>& memories) {
    if (no_device()) return;
    for (const Dataset& data : {toy_dataset(exact_samples(40'000)),
                                toy_dataset(exact_dense_samples(40'000, 13))}) { // sparse rows, dense rows
        const std::vector<float> expected = serial_weights(data);
        for (const std::string& memory : memories) {
            for (const auto& [streams, hot] : {std::pair{1u, 0u}, {3u, 0u}, {3u, 16u}}) {
                Plan plan = on("gpu", memory);
                plan.gpu.streams = streams;
                keep_copies(plan, hot);
                const Outcome outcome = run(plan, {data});
                CHECK_MESSAGE(outcome.weights == expected, memory << ", hot " << hot);
                CHECK(outcome.status == "done");
                CHECK(outcome.gpu.updates == outcome.updates);
                CHECK(outcome.observations.size() == 4 * plan.observations_per_epoch + 1);
                for (std::size_t i = 1; i < outcome.observations.size(); ++i) {
                    CHECK(outcome.observations[i].seconds >= outcome.observations[i - 1].seconds);
                    CHECK(outcome.observations[i].updates >= outcome.observations[i - 1].updates);
                    CHECK(std::isfinite(outcome.observations[i].train_loss));
                }
            }
        }
    }
}

} // namespace

TEST_CASE("on every memory of the GPU's or that moves, streams step on every sample once, and atomic loses nothing") {
    check_exact_on({"device", "managed-host", "managed-device", "managed", "replica"});
}

TEST_CASE("on memory of the host, too" * doctest::test_suite("no tool")) { check_exact_on({"mapped"}); }

TEST_CASE("threads and streams share the samples, and a replica's bridge loses nothing") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(400'000));
    const std::vector<float> expected = serial_weights(data);
    for (const std::string memory : {"replica", "managed-host"}) {
        for (const std::uint32_t hot : {0u, 16u}) {
            Plan plan = on("both", memory);
            keep_copies(plan, hot);
            const Outcome outcome = run(plan, {data});
            CHECK_MESSAGE(outcome.weights == expected, memory << ", hot " << hot);
            CHECK(outcome.gpu.updates > 0);
            CHECK(outcome.gpu.updates < outcome.updates);
            CHECK((outcome.gpu.bridge_rounds > 0) == (memory == "replica"));
        }
    }
}

TEST_CASE("streams learn what serial learns, with lazy L2, eras and copies of hot coordinates") {
    if (no_device()) return;
    const Dataset data = toy_dataset(random_samples(40'000, 200, 20, 3));
    Plan serial = toy_plan("serial");
    serial.problem = "logistic";
    serial.step.size = 0.02;
    serial.l2 = 1e-4;
    const double expected = run(serial, {data}).observations.back().train_loss;
    for (const double l2 : {1e-4, 0.5}) { // the second: eras
        for (const std::uint32_t hot : {0u, 16u}) {
            Plan plan = serial;
            plan.scheme = "hogwild";
            plan.update = "atomic";
            plan.device = "gpu";
            plan.memory = "device";
            plan.placement = hot > 0 ? "hot-apart" : "stored"; // the samples are not renumbered: any 16 will do
            plan.hot.count = hot;
            plan.l2 = l2;
            plan.gpu.blocks = 8;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            if (l2 < 1e-3) CHECK(outcome.observations.back().train_loss < 1.02 * expected);
            if (l2 > 0.1) CHECK(outcome.rebases > 0);
        }
    }
}

TEST_CASE("copies of all columns of dense rows lose nothing") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_dense_samples(40'000, 13));
    Plan plan = on("gpu", "device");
    keep_copies(plan, 16);
    CHECK(run(plan, {data}).weights == serial_weights(data));
}

TEST_CASE("an interrupt ends the streams' run, which says how far it came") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(40'000));
    for (const std::string device : {"gpu", "both"}) {
        Plan plan = on(device, device == "gpu" ? "device" : "replica");
        plan.epochs = 5'000;
        plan.observations_per_epoch = 1;
        std::atomic<bool> interrupt{false};
        std::atomic<std::uint64_t> progress{0};
        std::thread watch([&] {
            while (progress == 0) {}
            interrupt = true;
        });
        const Outcome outcome = run(plan, {.train = data, .interrupt = &interrupt, .progress = &progress});
        watch.join();
        CHECK(outcome.status == "interrupted");
        CHECK(!outcome.observations.empty());
        CHECK(outcome.updates > 0); // beside threads the interrupt may come before the first stretch
        CHECK(outcome.updates >= outcome.gpu.updates);
        CHECK(outcome.updates < std::uint64_t{plan.epochs} * 40'000);
        if (device == "gpu") CHECK(outcome.updates == outcome.gpu.updates);
    }
}

TEST_CASE("minibatch on a GPU takes the CPU's steps, up to rounding, with the same bits at every run") {
    if (no_device()) return;
    Dataset data = toy_dataset(random_samples(10'007, 200, 20, 3)); // the last batch is short
    double step_size = 0.05;
    SUBCASE("sparse rows") {}
    SUBCASE("dense rows") {
        if (const std::string why = DenseProducts::why_not(); !why.empty()) {
            MESSAGE("skipped: no cuBLAS (" << why
                                           << "); to run it: install the cuBLAS of the CUDA that it was built with");
            return;
        }
        data = toy_dataset(dense_samples(10'007, 131, 3));
        step_size = 0.01; // such rows move each other's margins
    }
    for (const std::string problem : {"hinge", "logistic", "squared"}) {
        for (const std::string step : {"decay", "backoff"}) {
            Plan plan = toy_plan("minibatch", 2);
            plan.problem = problem;
            plan.step.kind = step;
            plan.step.size = step_size;
            plan.batch.size = 64;
            const Outcome expected = run(plan, {data});
            plan.device = "gpu";
            plan.memory = "device";
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.weights == run(plan, {data}).weights);
            CHECK(outcome.observations.size() == expected.observations.size());
            CHECK(outcome.gpu.updates == outcome.updates);
            for (std::size_t i = 0; i < outcome.observations.size(); ++i) {
                CHECK(outcome.observations[i].updates == expected.observations[i].updates);
                CHECK(outcome.observations[i].train_loss ==
                      doctest::Approx(expected.observations[i].train_loss).epsilon(1e-4));
            }
        }
    }
}

TEST_CASE("minibatch on a GPU rescales where the CPU does, whatever lambda is") {
    if (no_device()) return;
    const Dataset data = toy_dataset(random_samples(10'007, 200, 20, 3));
    Plan plan = toy_plan("minibatch", 2);
    plan.problem = "logistic";
    plan.step.kind = "constant";
    plan.step.size = 0.2;
    plan.l2 = 0.5; // a batch takes a tenth off the scale: several rescalings an epoch
    plan.batch.size = 16;
    const Outcome expected = run(plan, {data});
    plan.device = "gpu";
    plan.memory = "device";
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.status == "done");
    CHECK(outcome.rebases == expected.rebases);
    CHECK(outcome.rebases > plan.epochs);
    for (std::size_t i = 0; i < outcome.observations.size(); ++i) {
        CHECK(outcome.observations[i].train_loss == doctest::Approx(expected.observations[i].train_loss).epsilon(1e-4));
    }
}

TEST_CASE("minibatch on a GPU sums large values without overflow") {
    if (no_device()) return;
    TestSamples samples;
    samples.columns = 3;
    for (int i = 0; i < 4'096; ++i) samples.add(3e4f, {0, 2}, {2e5f, 1.0f}); // sums of slope x value: 2.5e13
    const Dataset data = toy_dataset(std::move(samples));
    Plan plan = toy_plan("minibatch", 1);
    plan.problem = "squared";
    plan.step.kind = "constant";
    plan.step.size = 1e-12;
    plan.l2 = 0;
    plan.batch.size = 4'096;
    const Outcome expected = run(plan, {data});
    plan.device = "gpu";
    plan.memory = "device";
    const Outcome outcome = run(plan, {data});
    REQUIRE(outcome.weights.size() == 3);
    CHECK(outcome.weights[0] == doctest::Approx(expected.weights[0]).epsilon(1e-4));
    CHECK(outcome.weights[2] == doctest::Approx(expected.weights[2]).epsilon(1e-4));
}
