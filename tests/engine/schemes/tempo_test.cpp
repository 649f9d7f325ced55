#include "engine/schemes/tempo.h"

#include "kernels/power.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRows = 25'600;

Timeline prepared(const Plan& plan) {
    Timeline timeline(plan, kRows);
    const Schedule schedule(plan.step);
    for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) timeline.prepare(epoch, schedule);
    return timeline;
}

Plan plan_with(double l2) {
    Plan plan;
    plan.epochs = 3;
    plan.step.kind = "constant";
    plan.step.size = 0.5;
    plan.l2 = l2;
    return plan;
}

/// The scale that a chunk of 256 steps ends with.
double last_scale(const Tempo::Beat& beat) {
    return beat.pace.scale * power(beat.pace.decay, 256 * (1 + std::uint64_t{beat.beside}));
}

} // namespace

TEST_CASE("a thread's chunk begins with the scale of the moment and ends with that of the moment expected then") {
    const Timeline timeline = prepared(plan_with(1e-4));
    Tempo tempo(timeline);
    std::uint64_t now = 0, g = 0;
    CHECK(tempo.beat(g, now).beside == 0); // nothing is known yet
    for (const std::uint64_t meanwhile : {256, 512, 2'560, 5'120, 768}) {
        now += meanwhile;
        const Tempo::Beat beat = tempo.beat(++g, now);
        const double expected = timeline.pace_after(now + meanwhile).scale;
        CHECK(beat.pace.scale == timeline.pace_after(now).scale);
        if (now > meanwhile) CHECK(last_scale(beat) == doctest::Approx(expected).epsilon(1e-9));
    }
}

TEST_CASE("a count that comes late takes no thread back, and a thread alone counts its own samples only") {
    const Timeline timeline = prepared(plan_with(1e-4));
    Tempo tempo(timeline);
    tempo.beat(0, 1'000);
    CHECK(tempo.beat(1, 700).pace.scale == timeline.pace_after(1'000).scale);
    CHECK(tempo.beat(2, 1'256).beside == 0);
}

TEST_CASE("no more is expected than is left of an epoch or an era") {
    for (const double l2 : {1e-4, 0.02}) { // the second: eras of some cells
        const Timeline timeline = prepared(plan_with(l2));
        const std::uint64_t end = timeline.samples_end(0);
        CHECK((end < kRows) == (l2 > 0.01));
        Tempo tempo(timeline);
        tempo.beat(0, 1);
        CHECK(tempo.beat(0, end - 512).beside <= 1);
        CHECK(tempo.beat(0, end - 100).beside == 0);
        CHECK(tempo.beat(0, end - 1).beside == 0);
    }
}
