#include "kernels/stale_steps.h"

#include <doctest/doctest.h>

#include <latch>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

struct NotedStep {
    double factor = -1;
    void rescale(double by) { factor = by; }
};

constexpr StalenessRule kRules[] = {StalenessRule::kInverse, StalenessRule::kDelayAdaptive, StalenessRule::kDrop};

struct Worker {
    explicit Worker(std::atomic<std::uint64_t>& written, StalenessRule rule, std::uint32_t limit = 3)
        : context(of(written, rule, limit)) {}

    static WorkerContext of(std::atomic<std::uint64_t>& written, StalenessRule rule, std::uint32_t limit) {
        WorkerContext context;
        context.staleness_rule = rule;
        context.staleness_limit = limit;
        context.written = &written;
        return context;
    }

    WorkerContext context;
    StaleSteps steps{context};
    NotedStep step{};
};

/// The factor on a step between whose read and write others wrote tau steps; 0: it was dropped.
double factor_after(StalenessRule rule, std::uint32_t limit, int tau) {
    std::atomic<std::uint64_t> written{10};
    Worker one(written, rule, limit), other(written, StalenessRule::kInverse);
    one.steps.read();
    for (int i = 0; i < tau; ++i) {
        other.steps.read();
        CHECK(other.steps.admits(other.step));
    }
    const std::uint64_t before = written;
    const bool admitted = one.steps.admits(one.step);
    CHECK(written == before + (admitted ? 1 : 0));
    CHECK(one.context.steps_dropped == (admitted ? 0 : 1));
    return admitted ? one.step.factor : 0;
}

} // namespace

TEST_CASE("a stale step has the factor of its rule") {
    for (const int tau : {0, 1, 2, 3, 4, 6, 99}) {
        CAPTURE(tau);
        CHECK(factor_after(StalenessRule::kInverse, 3, tau) == 1.0 / (1 + tau));
        CHECK(factor_after(StalenessRule::kDelayAdaptive, 3, tau) == (tau <= 3 ? 1.0 : 3.0 / tau));
        CHECK(factor_after(StalenessRule::kDrop, 3, tau) == (tau <= 3 ? 1.0 : 0.0));
        CHECK(factor_after(StalenessRule::kDrop, 0, tau) == (tau == 0 ? 1.0 : 0.0));
    }
}

TEST_CASE("a worker's own steps, and steps that others dropped, make no step stale") {
    std::atomic<std::uint64_t> written{0};
    Worker one(written, StalenessRule::kInverse), late(written, StalenessRule::kDrop, 0);
    late.steps.read();
    for (int i = 0; i < 3; ++i) {
        one.steps.read();
        CHECK(one.steps.admits(one.step));
        CHECK(one.step.factor == 1);
    }
    one.steps.read();
    CHECK_FALSE(late.steps.admits(late.step)); // three steps late
    CHECK(late.step.factor == -1);
    CHECK(one.steps.admits(one.step));
    CHECK(one.step.factor == 1);
}

TEST_CASE("without a rule nothing is counted, and no step is rescaled") {
    std::atomic<std::uint64_t> written{5};
    Worker one(written, StalenessRule::kNone);
    one.steps.read();
    written = 50;
    CHECK(one.steps.admits(one.step));
    CHECK(one.step.factor == -1);
    CHECK(written == 50);
}

TEST_CASE("steps that were admitted and steps that were dropped are all steps, and each has a place of its own") {
    constexpr std::uint32_t kWorkers = 4, kSteps = 300'000;
    for (const StalenessRule rule : kRules) {
        std::atomic<std::uint64_t> written{0};
        std::vector<Worker> workers;
        workers.reserve(kWorkers); // their steps point at their contexts
        for (std::uint32_t w = 0; w < kWorkers; ++w) workers.emplace_back(written, rule, 1);
        std::vector<std::uint64_t> admitted(kWorkers);
        {
            std::latch together(kWorkers);
            std::vector<std::jthread> threads;
            for (std::uint32_t w = 0; w < kWorkers; ++w) {
                threads.emplace_back([&, w] {
                    together.arrive_and_wait();
                    Worker& worker = workers[w];
                    for (std::uint32_t i = 0; i < kSteps; ++i) {
                        worker.steps.read();
                        if (i % 64 == w) std::this_thread::yield();
                        admitted[w] += worker.steps.admits(worker.step) ? 1 : 0;
                    }
                });
            }
        }
        std::uint64_t kept = 0, dropped = 0;
        for (std::uint32_t w = 0; w < kWorkers; ++w) {
            kept += admitted[w];
            dropped += workers[w].context.steps_dropped;
        }
        CHECK(kept + dropped == kWorkers * kSteps);
        CHECK(written == kept);
        if (rule != StalenessRule::kDrop) CHECK(dropped == 0);
    }
}

TEST_CASE("rules are found by their names") {
    CHECK(staleness_rule("none") == StalenessRule::kNone);
    CHECK(staleness_rule("inverse") == StalenessRule::kInverse);
    CHECK(staleness_rule("delay-adaptive") == StalenessRule::kDelayAdaptive);
    CHECK(staleness_rule("drop") == StalenessRule::kDrop);
}
