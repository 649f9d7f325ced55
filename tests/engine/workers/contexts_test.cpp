#include "engine/plan/plan.h"
#include "engine/workers/contexts.h"

#include "tests/engine/toys/toy_text.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

WorkerContexts contexts_of(const std::string& guard, std::uint32_t columns) {
    Plan plan;
    plan.guard = guard;
    SparseView data;
    data.columns = columns;
    return {plan, data, 3, false};
}

} // namespace

TEST_CASE("every coordinate has a lock, and locks stay within their budget") {
    constexpr std::uint32_t kBudget = 1u << 20;
    for (const std::uint32_t columns : {1u, 40u, kBudget - 1, kBudget, kBudget + 1, 5'000'000u, 0x7FFFFFFFu}) {
        for (const char* guard : {"locked", "locked-read"}) {
            WorkerContexts contexts = contexts_of(guard, columns);
            const WorkerContext& context = contexts[2];
            const std::size_t last = (columns - 1) >> context.lock_shift;
            CHECK(last < context.locks.size());
            CHECK(context.locks.size() <= kBudget);
            if (columns < kBudget) CHECK(context.lock_shift == 0); // a lock each
            CHECK(context.locks.data() == contexts[0].locks.data());
        }
    }
    CHECK(contexts_of("global-lock", 5'000'000)[0].locks.size() == 1);
    CHECK(contexts_of("none", 40)[0].locks.empty());
}

TEST_CASE("a worker knows its number, its turn and its peers") {
    Plan plan;
    plan.cas_limit = 5;
    WorkerContexts contexts(plan, SparseView{}, 3, true);
    for (unsigned w = 0; w < 3; ++w) {
        CHECK(contexts[w].worker == w);
        CHECK(contexts[w].next_turn == w);
        CHECK(contexts[w].workers == 3);
        CHECK(contexts[w].published.size() == 3);
        CHECK(contexts[w].cas_limit == 5);
        CHECK(contexts[w].yields);
        CHECK(contexts[w].turn == &contexts.turn());
    }
    CHECK(contexts[0].staleness != contexts[1].staleness);
}

TEST_CASE("telemetry sums what the workers counted") {
    const TestSamples samples = random_samples(50, 20, 4, 2);
    Plan plan;
    plan.telemetry = "exact";
    WorkerContexts contexts(plan, samples.view(), 2, false);
    for (std::uint64_t v = 1; v <= 10; ++v) contexts[v % 2].staleness->add(v);
    contexts[0].issued = 100;
    contexts[1].issued = 50;
    contexts[0].dropped = 7; // of the weights' increments
    contexts[1].dropped = 4;
    contexts[0].steps_dropped = 5;
    contexts[1].steps_dropped = 1;
    contexts[0].shadow_dropped = 3; // of the meter's
    contexts[1].shadow_dropped = 2;
    contexts[1].shadow[0] = 99;
    contexts[1].shadow[19] = 1;
    const Telemetry telemetry = contexts.telemetry();
    CHECK(telemetry.increments_issued == 150);
    CHECK(telemetry.increments_dropped == 11);
    CHECK(telemetry.steps_dropped == 6);
    CHECK(telemetry.increments_lost == 150 - 5 - 100);
    CHECK(telemetry.staleness.count == 10);
    CHECK(telemetry.staleness.mean == 5.5);
    CHECK(telemetry.staleness.median == 5);
    CHECK(telemetry.staleness.p90 == 9);
    CHECK(telemetry.staleness.max == 10);
}

TEST_CASE(
    "exact telemetry takes as many epochs as floats can count increments of the hottest coordinate, and no more") {
    TestSamples samples;
    samples.columns = 3;
    samples.add(1.0f, {0, 1}, {1.0f, 1.0f});
    samples.add(1.0f, {1, 2}, {1.0f, 1.0f});
    samples.add(1.0f, {0}, {1.0f});
    const auto refused = [&](const char* order, std::uint32_t epochs) {
        Plan plan;
        plan.telemetry = "exact";
        plan.order = order;
        plan.epochs = epochs;
        return !why_not_exact(plan, samples.view()).empty();
    };
    constexpr std::uint32_t kLimit = 1u << 24;
    for (const char* order : {"permutation", "stored"}) {
        CHECK_FALSE(refused(order, (kLimit - 1) / 2)); // two samples an epoch touch coordinate 1
        CHECK(refused(order, kLimit / 2));
    }
    CHECK_FALSE(refused("replacement", (kLimit - 1) / 3)); // the three draws of an epoch may all be the same sample
    CHECK(refused("replacement", kLimit / 3 + 1));
    Plan windows; // of one word in all places: 2 contexts, 3 outputs
    windows.telemetry = "exact";
    windows.order = "replacement";
    TestText text;
    text.tokens.assign(100, 0);
    text.count(1);
    windows.epochs = (kLimit - 1) / (100 * 3);
    CHECK(why_not_exact(windows, text.view({1, 2, 1, 0, 1})).empty());
    ++windows.epochs;
    CHECK_FALSE(why_not_exact(windows, text.view({1, 2, 1, 0, 1})).empty());
    Plan off;
    off.epochs = kLimit;
    CHECK(why_not_exact(off, samples.view()).empty());
}
