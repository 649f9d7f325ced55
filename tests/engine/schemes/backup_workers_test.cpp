// Runs with backup workers: what is dropped, what is not, and who waits for whom.
#include "engine/data/synthetic/synthetic_graph.h"
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_text.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

Plan with_backups(Plan plan, unsigned threads, unsigned backup) {
    plan.scheme = "backup-workers";
    plan.threads = threads;
    plan.backup = backup;
    return plan;
}

/// Hinge, with halves of steps that count what they do, and one that stalls.
class Watched {
public:
    /// The first gradient that is computed comes only when `over` samples have been applied, or after `patience` looks.
    Watched(std::uint64_t over, std::uint64_t patience) {
        computed = 0;
        applied = 0;
        stalls = over > 0;
        until = over;
        looks = patience;
        kernels = kernels_of<Hinge>();
        kernels.emit[0] = [](const AnyView& data, const BatchEmit& work) {
            if (stalls.exchange(false)) {
                while (applied.load() < until && looks-- > 0) std::this_thread::yield();
            }
            kernels_of<Hinge>().emit[0](data, work);
            computed += work.count;
        };
        kernels.apply[0] = [](const AnyView& data, const BatchApply& work) {
            kernels_of<Hinge>().apply[0](data, work);
            if (work.owner == 0) applied += work.count;
        };
    }

    Kernels kernels;
    static inline std::atomic<std::uint64_t> computed, applied;
    static inline std::atomic<bool> stalls;
    static inline std::uint64_t until, looks;
};

/// Steps of powers of two, whose sum is exact in any order, each on a coordinate of its own.
constexpr std::uint32_t kRows = 512;
Dataset apart() { return alike(kRows, kRows, 0x1p-10f); }

Plan exact_plan(unsigned threads, unsigned backup) {
    Plan plan = with_backups(toy_plan("minibatch"), threads, backup);
    plan.step.kind = "constant";
    plan.step.size = 1;
    plan.l2 = 0;
    plan.epochs = 8;
    return plan;
}

constexpr float kEachStep = 0x1p-15f; // 2^-10 / 32

} // namespace

TEST_CASE("without backups a batch has minibatch's bits, of every problem and any number of workers") {
    Plan scaled = toy_plan("minibatch");
    scaled.l2 = 0.5;
    scaled.epochs = 3;
    scaled.batch.size = 1; // 200 bits an epoch: eras of lazy L2
    Plan backoff = toy_plan("minibatch");
    backoff.step.kind = "backoff";
    backoff.step.plateau = 0.2;
    Plan momentum = images_plan("minibatch");
    momentum.optimizer.name = "momentum";
    for (const auto& [plan, data] :
         {std::pair{toy_plan("minibatch"), crowded()},
          {scaled, crowded()},
          {backoff, crowded()},
          {ratings_plan("minibatch"), ratings_dataset(random_ratings(1'000, 30, 20, {.mean = 3}, 2))},
          {cut_plan("minibatch"), graph_dataset(random_graph(1'000, 40, 2, 1))},
          {cut_plan("minibatch"), graph_dataset(random_graph(1'000, 40, 5, 1))},
          {text_plan("minibatch"), text_dataset(two_topics())},
          {images_plan("minibatch"), images_dataset(bright_lines(103))},
          {momentum, images_dataset(bright_lines(103))}}) {
        Plan short_plan = plan;
        short_plan.epochs = std::min(plan.epochs, 2u);
        const Outcome minibatch = run(short_plan, {data});
        for (const unsigned threads : {1u, 3u}) {
            const std::string& problem = plan.problem;
            CAPTURE(problem);
            const Outcome outcome = run(with_backups(short_plan, threads, 0), {data});
            CHECK(outcome.weights == minibatch.weights);
            CHECK(outcome.rebases == minibatch.rebases);
            CHECK(outcome.telemetry.gradients_dropped == 0);
            REQUIRE(outcome.observations.size() == minibatch.observations.size());
            for (std::size_t i = 0; i < minibatch.observations.size(); ++i)
                CHECK(outcome.observations[i].train_loss == minibatch.observations[i].train_loss);
        }
    }
}

TEST_CASE("every sample of an epoch is applied once, and what was computed is applied or dropped") {
    const Dataset data = apart();
    for (const auto& [threads, backup] : {std::pair{2u, 1u}, {4u, 2u}, {5u, 1u}, {5u, 4u}}) {
        const Plan plan = exact_plan(threads, backup);
        const Watched watched(0, 0);
        ToyJob toy(plan, data.view(), nullptr, watched.kernels);
        const SchemeTotals totals = make_scheme("backup-workers")->run(toy.job);
        for (std::uint32_t j = 0; j < kRows; ++j) CHECK(toy.buffer.data()[j] == float(plan.epochs) * kEachStep);
        CHECK(Watched::applied == plan.epochs * kRows);
        CHECK(Watched::computed == Watched::applied + totals.gradients_dropped);
    }
}

TEST_CASE("a worker that comes back only when all is done holds nobody up") {
    const Dataset data = apart();
    for (const unsigned threads : {2u, 3u, 5u}) {
        const Plan plan = exact_plan(threads, 1);
        const Watched watched(plan.epochs * kRows, 20'000'000);
        ToyJob toy(plan, data.view(), nullptr, watched.kernels);
        const SchemeTotals totals = make_scheme("backup-workers")->run(toy.job);
        CHECK(Watched::looks > 0); // else the others waited for it
        for (std::uint32_t j = 0; j < kRows; ++j) CHECK(toy.buffer.data()[j] == float(plan.epochs) * kEachStep);
        CHECK(totals.gradients_dropped > 0);
        CHECK(Watched::computed == Watched::applied + totals.gradients_dropped);
    }
}

TEST_CASE("every problem learns with backup workers, and every snapshot is taken") {
    Plan linear = toy_plan("minibatch");
    linear.problem = "logistic";
    Plan text = text_plan("minibatch");
    text.step.size = 0.4;
    Plan graph = long_cut_plan("minibatch");
    graph.step.size /= 3;
    graph.epochs = 20;
    for (const auto& [plan, data] :
         {std::pair{linear, crowded()},
          {ratings_plan("minibatch"), ratings_dataset(random_ratings(1'000, 30, 20, {.mean = 3}, 2))},
          {graph, generate(parse_synthetic_graph("synthetic:entities=6,mentions=300", 5), "entities")},
          {text, text_dataset(two_topics())},
          {images_plan("minibatch"), images_dataset(bright_lines(300))}}) {
        const std::string& problem = plan.problem;
        CAPTURE(problem);
        const Outcome outcome = run(with_backups(plan, 3, 1), {data});
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == plan.epochs * data.view().rows());
        CHECK(outcome.observations.size() == 1 + plan.epochs * plan.observations_per_epoch);
        CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
    }
}

TEST_CASE("an interrupt ends a run with backup workers at the next step") {
    const std::atomic<bool> stop{true};
    const Dataset data = crowded();
    RunInputs inputs{data};
    inputs.interrupt = &stop;
    const Outcome outcome = run(with_backups(toy_plan("minibatch"), 3, 1), inputs);
    CHECK(outcome.status == "interrupted");
    CHECK(outcome.updates == 0);
}

TEST_CASE("a snapshot leaves out the shares of those who are late, and a run goes on from it") {
    Plan plan = with_backups(toy_plan("minibatch"), 5, 2);
    CHECK(unsure_samples(plan, 1'000, {}) == 2 * 11); // of 32 / 3
    CHECK(why_not_go_on(plan).empty());
}

TEST_CASE("as many backups as workers are refused, and a GPU") {
    const auto refused = [](const char* why, const Plan& plan) {
        CAPTURE(why);
        CHECK_THROWS_WITH_AS(run(plan, {crowded()}), doctest::Contains(why), Error);
    };
    refused("of 1 worker 1 would be backups, and a step waits for one at least; use --backup 0",
            with_backups(toy_plan("minibatch"), 1, 1));
    refused("use --backup 3", with_backups(toy_plan("minibatch"), 4, 9));
    Plan plan = with_backups(toy_plan("minibatch"), 2, 1);
    plan.device = "gpu";
    plan.memory = "device";
    refused("backup-workers runs on CPU threads", plan);
    plan.device = "cpu";
    plan.memory = "host";
    plan.telemetry = "sampled";
    refused("has no concurrent writers", plan);
    plan.telemetry = "off";
    plan.delay = 1e-6;
    refused("sample by sample", plan);
}
