// Runs of networks by CPU threads and streams whose batches differ and change. The streams are the host's (host_streams.h): what is
// tested is who takes which batches.
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"
#include "engine/schemes/two_devices/batches.h"
#include "engine/schemes/walk/walker.h"
#include "tests/engine/schemes/host_streams.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_job.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kImages = 2'003;

Plan mixed_images(const std::string& rule, unsigned threads = 2) {
    Plan plan = images_plan("hogwild", threads);
    plan.network.layers = "dense 4";
    plan.device = "both";
    plan.memory = "mapped"; // only its name counts here
    plan.gpu.streams = 1;
    plan.gpu.blocks = 8; // a team
    plan.epochs = 4;
    plan.batch.rule = rule;
    plan.batch.most = 43; // 5, 10, 20, 40
    return plan;
}

struct BatchesRan {
    BatchTotals batches;
    std::uint64_t by_threads = 0, by_streams = 0; // samples
};

/// `times`: how often a stream steps through what it is given, 0 for a GPU that takes no time.
BatchesRan run_images(const Plan& plan, int times = 1) {
    const Dataset images = images_dataset(RandomImages(kImages, {4, 4, 1}, 4));
    const AnyView data = bound(images.view(), plan);
    const Kernels& kernels = kernels_of<Network>();
    ToyJob toy(plan, data, nullptr, kernels);
    HostStreams streams(plan, data, toy.buffer.data(), kernels);
    streams.times = times;
    toy.job.gpu = &streams;
    SchemeTotals totals = make_scheme("hogwild")->run(toy.job);
    const BatchesRan ran{totals.batches, totals.by_threads, streams.stepped()};
    CHECK(ran.by_threads + ran.by_streams == std::uint64_t{plan.epochs} * kImages);
    CHECK(ran.batches.gpu.steps == streams.steps(0));
    for (const auto& [of, samples] : {std::pair{ran.batches.cpu, ran.by_threads}, {ran.batches.gpu, ran.by_streams}}) {
        const auto [least, most] = std::ranges::minmax(of.batches, {}, &BatchChange::batch);
        CHECK(of.steps * most.batch >= samples);
        CHECK(of.steps <= samples);
        CHECK(std::ranges::is_sorted(of.batches, {}, &BatchChange::seconds));
        CHECK(std::ranges::is_sorted(of.batches, {}, &BatchChange::steps));
        CHECK(of.batches.front().seconds == 0);
        CHECK(of.batches.back().steps <= of.steps);
        for (std::size_t i = 1; i < of.batches.size(); ++i) {
            const std::uint32_t before = of.batches[i - 1].batch, now = of.batches[i].batch;
            CHECK((now == 2 * before || before == 2 * now));
        }
        CHECK(least.batch >= plan.batch.size);
        CHECK(most.batch <= std::max(first_gpu_batch(plan), most_cpu_batch(plan)));
    }
    return ran;
}

std::uint32_t last(const DeviceSteps& of) { return of.batches.back().batch; }

} // namespace

TEST_CASE("fixed batches stay, a GPU's own among them, and every sample is stepped through once an epoch") {
    for (const std::uint32_t gpu_batch : {0u, 5u, 40u, 640u}) {
        CAPTURE(gpu_batch);
        Plan plan = mixed_images("fixed");
        plan.batch.gpu = gpu_batch;
        const BatchesRan ran = run_images(plan);
        CHECK(ran.batches.cpu.batches.size() == 1);
        CHECK(ran.batches.gpu.batches.size() == 1);
        CHECK(last(ran.batches.cpu) == 5);
        CHECK(last(ran.batches.gpu) == std::max(gpu_batch, 5u));
        CHECK(ran.batches.cpu.steps <= ran.by_threads / 5 + 4 * 40); // all but those at the end of stretches are whole
    }
}

TEST_CASE("batches of an adaptive rule are doubled and halved within its bounds, whoever is faster") {
    for (const std::string rule : {"adaptive", "adaptive-linear"}) {
        for (const int times : {0, 1, 20}) {
            CAPTURE(times);
            Plan plan = mixed_images(rule, times == 1 ? 3 : 1);
            plan.batch.gpu = times == 20 ? 40 : 0;
            const BatchesRan ran = run_images(plan, times);
            CHECK(ran.batches.cpu.steps + ran.batches.gpu.steps > std::uint64_t{plan.epochs} * kImages / 40);
        }
    }
}

TEST_CASE("the device that makes more steps comes to the larger batches") {
    for (const bool gpu_is_faster : {true, false}) {
        CAPTURE(gpu_is_faster);
        Plan plan = mixed_images("adaptive");
        plan.batch.gpu = gpu_is_faster ? 5 : 20;
        const Timeline timeline(plan, kImages);
        const Recorder recorder(1, 1, 1 << 20);
        Batches batches(plan, timeline, recorder);
        std::uint64_t by_gpu = 0;
        for (int round = 0; round < 20; ++round) {
            const std::uint32_t batch = batches.of_thread();
            for (const unsigned thread : {0u, 1u}) batches.made(thread, gpu_is_faster ? batch : 9 * batch + 1, batch);
            batches.set(0, by_gpu += gpu_is_faster ? 20 : 2);
            CHECK(batches.chunks(batches.of_stream()) == std::max(1u, batches.of_stream() / timeline.chunk()));
        }
        const BatchTotals totals = batches.totals();
        CHECK(totals.cpu.steps == (gpu_is_faster ? 40 : 400));
        CHECK(totals.gpu.steps == by_gpu);
        CHECK(last(totals.gpu) == (gpu_is_faster ? 40 : 5));
        CHECK(last(totals.cpu) == (gpu_is_faster ? 5 : 40));
    }
}

TEST_CASE("a stream claims as many whole batches for each of its teams; fixed equal ones as if nobody asked") {
    Plan plan = mixed_images("adaptive");
    plan.gpu.blocks = 24; // three teams
    const Recorder recorder(1, 1, 1 << 20);
    const Timeline timeline(plan, kImages); // chunks of 10
    Batches batches(plan, timeline, recorder);
    CHECK(timeline.chunk() == 10);
    CHECK(batches.stretch(5, 1) == 3);
    CHECK(batches.stretch(40, 1) == 12);
    CHECK(batches.stretch(40, 23) == 12);
    CHECK(batches.stretch(20, 23) == 18);
    CHECK(batches.stretch(5, 23) == 21);
    CHECK(batches.stretch(5, 1'000) == 8 * 3); // judged by eight steps of each team
    CHECK(batches.stretch(40, 1'000) == 8 * 12);
    plan.batch.rule = "fixed";
    Batches equal(plan, timeline, recorder);
    CHECK(equal.stretch(5, 1) == 1);
    CHECK(equal.stretch(5, 23) == 23);
    plan.batch.gpu = 40;
    Batches fixed(plan, timeline, recorder);
    CHECK(fixed.stretch(40, 1'000) == 83 * 12);
}

TEST_CASE("where one device steps, or steps take no batches, nothing is counted") {
    Plan plan = toy_plan("hogwild", 2);
    plan.device = "both";
    const Timeline timeline(plan, kImages);
    const Recorder recorder(1, 1, 1 << 20);
    Batches batches(plan, timeline, recorder);
    batches.made(0, 256, 256);
    CHECK(batches.totals().cpu.steps == 0);
    CHECK(batches.totals().gpu.batches.empty());
    CHECK(batches.chunks(batches.of_thread()) == 1);
    CHECK(batches.stretch(batches.of_stream(), 7) == 7);
}

TEST_CASE("a thread steps by the batches that it is told, and by a rule that scales steps those are larger") {
    const Dataset images = images_dataset(RandomImages(kImages, {4, 4, 1}, 4));
    const auto walked = [&](const std::string& rule, std::uint32_t of_plan, std::uint32_t batch, double step) {
        Plan plan = mixed_images(rule);
        plan.batch.size = of_plan;
        const AnyView data = bound(images.view(), plan);
        ToyJob toy(plan, data, nullptr, kernels_of<Network>());
        std::fill_n(toy.buffer.data(), toy.buffer.size(), 0.01f);
        Walker walker(toy.job, steps_kernel(toy.job, "racy", "none", "off"), toy.contexts[0]);
        walker.queue({0, 0, 40});
        walker.walk_among({step, 1, 1}, 0, batch);
        return std::vector<float>(toy.buffer.data(), toy.buffer.data() + toy.buffer.size());
    };
    const std::vector<float> by_twenty = walked("fixed", 20, 20, 0.5);
    CHECK(walked("adaptive", 5, 20, 0.5) == by_twenty);
    CHECK(walked("adaptive", 5, 10, 0.5) != by_twenty);
    CHECK(walked("adaptive-linear", 5, 20, 0.125) == by_twenty);
    CHECK(walked("adaptive-linear", 5, 40, 0.0625) == walked("fixed", 40, 40, 0.5));
}

TEST_CASE("where steps grow with batches, an image weighs as much in each") {
    const Dataset images = images_dataset(RandomImages(10, {4, 4, 1}, 4));
    const AnyView data = bound(images.view(), mixed_images("fixed"));
    const Kernels& kernels = kernels_of<Network>();
    const auto weights_after = [&](std::uint32_t count, double step, std::uint32_t step_of) {
        std::vector<float> weights(data.coordinates(), 0.01f), scratch(kernels.step_scratch(data, 10, false));
        std::vector<std::uint32_t> samples{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        WorkerContext context;
        context.scratch = scratch;
        const Chunk chunk{.samples = samples.data(),
                          .count = count,
                          .ahead = 0,
                          .primed = false,
                          .weights = weights.data(),
                          .scale = 1,
                          .decay = 1,
                          .skip = 1,
                          .step = step,
                          .epoch = 0,
                          .seed = 1,
                          .batch = 10,
                          .step_of = step_of};
        kernels.steps[catalog::find<Updates>("racy")][0][0].by_set[0](data, chunk, context);
        return weights;
    };
    CHECK(weights_after(10, 0.25, 5) == weights_after(10, 0.5, 0));
    CHECK(weights_after(10, 0.5, 10) == weights_after(10, 0.5, 0));
    CHECK(weights_after(5, 0.5, 10) == weights_after(5, 0.25, 0));
}

TEST_CASE("batches of two devices are refused where they mean nothing, and where they are no doubling of --batch") {
    const auto refused = [](const std::string& why, const auto& change) {
        Plan plan = mixed_images("fixed");
        CHECK(why_not(plan).empty());
        change(plan);
        CHECK(why_not(plan).find(why) != std::string::npos);
    };
    refused("take single samples", [](Plan& plan) {
        plan.problem = "hinge";
        plan.batch.gpu = 64;
    });
    refused("one device's batch is --batch", [](Plan& plan) {
        plan.device = "gpu";
        plan.batch.rule = "adaptive";
    });
    refused("one device's batch is --batch", [](Plan& plan) {
        plan.device = "cpu";
        plan.memory = "host";
        plan.scheme = "minibatch";
        plan.batch.gpu = 10;
    });
    refused("--batch-most 4 is below --batch 5", [](Plan& plan) {
        plan.batch.rule = "adaptive";
        plan.batch.most = 4;
    });
    refused("use 20 or 40", [](Plan& plan) { plan.batch.gpu = 30; });
    refused("use 5 or 10", [](Plan& plan) { plan.batch.gpu = 3; });
    refused("--gpu-batch 80 is above 40", [](Plan& plan) {
        plan.batch.rule = "adaptive";
        plan.batch.gpu = 80;
    });
    refused("at most 1024 samples; use --gpu-batch 1024 or less", [](Plan& plan) { plan.batch.gpu = 1'280; });
    refused("at most 1024 samples; use --batch-most 1024 or less", [](Plan& plan) {
        plan.batch.rule = "adaptive-linear";
        plan.batch.most = 5'000;
    });
}
