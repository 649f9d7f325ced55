// Replicas of a network that a GPU's teams step on: who may have some, and which share of their increments teams give.
#include "engine/plan/derived/team_replicas.h"
#include "engine/plan/plan.h"

#include "engine/plan/derived/workers.h"
#include "engine/schemes/replicas/shared_model.h"
#include "engine/schemes/scheme.h"
#include "kernels/cuda/network/team_memory.h"
#include "tests/engine/schemes/host_streams.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_job.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

Plan teams_plan(const std::string& combine = "sequential") {
    Plan plan = images_plan("async-local-sgd");
    plan.device = "gpu";
    plan.memory = "device";
    plan.gpu.streams = 2;
    plan.gpu.blocks = 16;
    plan.exchange.combine = combine;
    plan.exchange.period = 20;
    return plan;
}

/// What a thread gives of increments of 1, which `samples` made at this step size.
float given_by_a_thread(Plan plan, unsigned threads, std::uint32_t samples, double step) {
    plan.device = "cpu";
    plan.memory = "host";
    plan.threads = threads;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    ToyJob toy(plan, bound(data.view(), plan), nullptr, kernels_of<Network>());
    const SharedModel model(toy.job);
    Replica replica(model, 0);
    std::fill_n(toy.buffer.data(), toy.buffer.size(), 0.0f);
    replica.begin();
    replica.weights()[0] += 1;
    replica.stepped(samples, step);
    replica.give_all(step);
    return toy.buffer.data()[0];
}

} // namespace

TEST_CASE("a team gives the share of its increments that a thread among as many workers gives") {
    for (const std::string combine : {"sequential", "sum", "average"}) {
        for (const std::uint32_t batch : {1u, 5u}) {
            CAPTURE(combine);
            CAPTURE(batch);
            Plan plan = teams_plan(combine);
            plan.batch.size = batch;
            plan.exchange.coupling = 3;
            for (const unsigned workers : {2u, 4u, 16u}) {
                const ReplicaRule rule = replica_rule(plan, 103, workers);
                for (const double step : {1e-7, 0.01, 0.5, 100.0}) {
                    const float share = rule.share_of(static_cast<float>(20 * step));
                    CHECK(share == doctest::Approx(given_by_a_thread(plan, workers, 20, step)).epsilon(1e-3));
                }
            }
        }
    }
}

TEST_CASE("teams exchange after a period, at 0 after their share of an epoch, and a team alone never") {
    Plan plan = teams_plan();
    CHECK(replica_rule(plan, 1'000, 4).period == 20);
    plan.exchange.period = 1u << 30; // of a launch no more is left than an epoch
    CHECK(replica_rule(plan, 1'000, 4).period == 1'000);
    plan.exchange.period = 0;
    CHECK(replica_rule(plan, 1'000, gpu_teams(plan)).period == 250);
    CHECK_FALSE(replica_rule(plan, 1'000, 1).any());
    plan.scheme = "hogwild";
    CHECK_FALSE(replica_rule(plan, 1'000, 4).any());
}

TEST_CASE("the memory of a team ends with a replica and its base where teams have some, each on lines of its own") {
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    const Plan plan = teams_plan();
    const AnyView view = bound(data.view(), plan);
    const DeviceImages images(view.as<ImagesView>());
    for (const bool copies : {false, true}) {
        std::vector<float> memory(1); // never looked into
        Teams teams;
        teams.copies = copies;
        teams.memory = memory.data();
        const std::uint64_t before = TeamMemory::size(images, teams);
        teams.replicas = replica_rule(plan, 103, 4);
        const TeamMemory own(images, teams, 0);
        const std::uint64_t line = (images.coordinates() + 31) / 32 * 32;
        CHECK(own.replica() - teams.memory == static_cast<std::ptrdiff_t>(before));
        CHECK(own.base() - own.replica() == static_cast<std::ptrdiff_t>(line));
        CHECK(TeamMemory::size(images, teams) == before + 2 * line);
    }
}

TEST_CASE("streams claim every batch of every epoch once, whether their teams have replicas or not") {
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const unsigned streams : {1u, 3u}) {
        Plan plan = teams_plan();
        plan.gpu.streams = streams;
        const AnyView view = bound(data.view(), plan);
        ToyJob toy(plan, view, nullptr, kernels_of<Network>());
        HostStreams device(plan, view, toy.buffer.data(), kernels_of<Network>());
        toy.job.gpu = &device;
        const SchemeTotals totals = make_scheme("async-local-sgd")->run(toy.job);
        CHECK(totals.by_worker.size() == streams);
        CHECK(std::accumulate(totals.by_worker.begin(), totals.by_worker.end(), std::uint64_t{0}) == 103 * plan.epochs);
    }
}

TEST_CASE("a GPU has replicas of networks, in its own memory, without threads beside it, by teams") {
    const auto why = [](void (*change)(Plan&)) {
        Plan plan = teams_plan();
        change(plan);
        return why_not(plan);
    };
    CHECK(why([](Plan&) {}) == "");
    for (void (*change)(Plan&) :
         {+[](Plan& p) { p.optimizer.name = "adam"; }, +[](Plan& p) { p.network.read = "copy"; },
          +[](Plan& p) { p.l2 = 1e-3; }, +[](Plan& p) { p.exchange.period = 0; }})
        CHECK(why(change) == "");
    CHECK(why([](Plan& p) { p.problem = "logistic"; }) ==
          "a GPU's workers have replicas of networks, not of what logistic steps on; use --device cpu");
    CHECK(why([](Plan& p) { p.device = "both", p.memory = "replica"; }) ==
          "replicas of threads and of a GPU's teams have no shared model in common; use --device cpu or gpu");
    CHECK(why([](Plan& p) { p.memory = "managed"; }) ==
          "a GPU's replicas exchange with weights in its own memory, not in managed; use --memory device");
    CHECK(why([](Plan& p) { p.gpu.steps = "graphs"; }) ==
          "graphs are a choice of hogwild's GPU workers on networks; use --gpu-steps teams");
    CHECK(why([](Plan& p) { p.telemetry = "sampled"; }) ==
          "async-local-sgd has no concurrent writers, so nothing is stale and nothing is lost");
    CHECK(why([](Plan& p) { p.staleness.rule = "drop"; }) ==
          "async-local-sgd has no stale steps; use --staleness-rule none");
    CHECK(why([](Plan& p) { p.network.update = "1=racy"; }) ==
          "only hogwild without a guard has a choice of updates; use --layer-update none");
    CHECK(why([](Plan& p) { p.network.layers = "conv 3 3; batchnorm relu; maxpool 2; dense 4"; }) ==
          "what several workers moved batchnorm's running averages by would add up to more than one of them; use "
          "--combine average");
    CHECK(why([](Plan& p) {
              p.network.layers = "conv 3 3; batchnorm relu; maxpool 2; dense 4";
              p.exchange.combine = "average";
          }) == "");
}

TEST_CASE("workers that exchange are threads, or a GPU's teams") {
    Plan plan = teams_plan();
    plan.threads = 7;
    CHECK(gpu_workers(plan) == 2);
    CHECK(gpu_teams(plan) == 4);
    CHECK(exchanging_workers(plan) == 4);
    plan.problem = "logistic"; // of which a GPU has none
    CHECK(gpu_workers(plan) == 0);
    CHECK(exchanging_workers(plan) == 7);
    plan = teams_plan();
    plan.threads = 7;
    plan.device = "cpu";
    CHECK(exchanging_workers(plan) == 7);
}
