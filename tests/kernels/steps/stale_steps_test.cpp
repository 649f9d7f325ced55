#include "kernels/steps/stale_steps.h"

#include "kernels/lanes/scalar.h"
#include "kernels/patterns/sparse_rows.h"
#include "kernels/problems/squared.h"
#include "kernels/updates/guards/counted.h"
#include "kernels/updates/racy.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <latch>
#include <thread>
#include <utility>
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

/// Others write so many steps between the read and the write of the next step, and none in later ones.
std::uint64_t others = 0;
struct OthersWrite : NoProbe {
    explicit OthersWrite(WorkerContext& context) : NoProbe(context), written_(context.written) {}
    void computed() {
        if (written_ != nullptr) written_->fetch_add(std::exchange(others, 0), std::memory_order_relaxed);
    }

    std::atomic<std::uint64_t>* written_;
};

/// Two steps on x = 1, y = 1 with step size 1/2, the first of which is tau late; each shrinks the weight to its fourth. Returns it.
template <class Guard>
float weight_after_two(WorkerContext& context, std::uint64_t tau) {
    TestSamples samples;
    samples.columns = 1;
    for (int i = 0; i < 2; ++i) samples.add(1.0f, {0}, {1.0f});
    const std::vector<std::uint32_t> rows{0, 1};
    float v = 0;
    Chunk chunk{};
    chunk.samples = rows.data();
    chunk.count = 2;
    chunk.weights = &v;
    chunk.scale = chunk.skip = 1;
    chunk.decay = 0.25;
    chunk.step = 0.5;
    others = tau;
    steps<Squared, ScalarLanes, Racy, Guard, OthersWrite>(samples.view(), chunk, context);
    return v / 16;
}

} // namespace

TEST_CASE(
    "a late step on a sparse row has its rule's factor, the next one none, and L2 shrinks as if nothing were late") {
    const auto expected = [](float factor) { // w <- w / 4 + factor (1 - w) / 2, from 0, then by the factor 1
        const float w = factor / 2;
        return w / 4 + (1 - w) / 2;
    };
    const auto weight = [](StalenessRule rule, std::uint64_t tau) {
        std::atomic<std::uint64_t> written{7};
        Worker one(written, rule, 2);
        const float w = weight_after_two<Counted>(one.context, tau);
        const bool dropped = rule == StalenessRule::kDrop && tau > 2;
        CHECK(one.context.steps_dropped == (dropped ? 1 : 0));
        CHECK(written == 7 + tau + (dropped ? 1 : 2));
        return w;
    };
    CHECK(weight(StalenessRule::kInverse, 0) == expected(1));
    CHECK(weight(StalenessRule::kInverse, 3) == expected(0.25f));
    CHECK(weight(StalenessRule::kDelayAdaptive, 2) == expected(1));
    CHECK(weight(StalenessRule::kDelayAdaptive, 8) == expected(0.25f));
    CHECK(weight(StalenessRule::kDrop, 2) == expected(1));
    CHECK(weight(StalenessRule::kDrop, 3) == expected(0));
}

TEST_CASE("no other guard's steps on sparse rows look at a count, whatever the rule") {
    WorkerContext context;
    context.staleness_rule = StalenessRule::kDrop;
    REQUIRE(context.written == nullptr);
    CHECK(weight_after_two<NoGuard>(context, 9) > 0);
}

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
