#include "engine/plan/plan.h"
#include "engine/schemes/two_devices/beside_gpu_pace.h"

#include "kernels/numbers/power.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hogwild;

namespace {

constexpr std::uint32_t kPacedRows = 25'600;

Timeline prepared(const Plan& plan) {
    Timeline timeline(plan, kPacedRows);
    const Schedule schedule(plan.step, plan.epochs);
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

constexpr std::uint32_t kLook = 32;
constexpr std::uint64_t kEnd = 3 * kPacedRows; // of the run

/// The scale that 32 steps end with.
double last_scale(const BesideGpuPace::Beat& beat) {
    return beat.pace.scale * power(beat.pace.decay, kLook * (1 + std::uint64_t{beat.beside}));
}

} // namespace

TEST_CASE("a thread's steps begin with the scale of the moment and end with that of the moment expected then") {
    const Timeline timeline = prepared(plan_with(1e-4));
    BesideGpuPace tempo(timeline);
    std::uint64_t now = 0, earlier = 0;
    CHECK(tempo.beat(kEnd, kLook, now).beside == 0); // nothing is known yet
    for (const std::uint64_t lately : {64, 256, 512, 2'560, 5'120, 768, 768}) {
        now += lately;
        const BesideGpuPace::Beat beat = tempo.beat(kEnd, kLook, now);
        CHECK(beat.pace.scale == timeline.pace_after(now).scale);
        const std::uint64_t expected = std::max<std::uint64_t>(std::min(lately, earlier), kLook);
        CHECK(last_scale(beat) == doctest::Approx(timeline.pace_after(now + expected).scale).epsilon(1e-9));
        earlier = lately;
    }
}

TEST_CASE("after a wait nothing is expected until two looks have told the speed again") {
    const Timeline timeline = prepared(plan_with(1e-4));
    BesideGpuPace tempo(timeline);
    tempo.beat(kEnd, kLook, 320);
    tempo.beat(kEnd, kLook, 640);
    CHECK(tempo.beat(kEnd, kLook, 960).beside == 9);
    CHECK(tempo.beat(kEnd, kLook, 20'000).beside == 9); // it lost its core for a while: no reason to hurry
    CHECK(tempo.beat(kEnd, kLook, 20'320).beside == 9);
    tempo.restart();
    CHECK(tempo.beat(kEnd, kLook, 24'000).beside == 0);
    CHECK(tempo.beat(kEnd, kLook, 24'320).beside == 0);
    CHECK(tempo.beat(kEnd, kLook, 24'640).beside == 9);
}

TEST_CASE("a count that comes late takes no thread back, and a thread alone counts its own samples only") {
    const Timeline timeline = prepared(plan_with(1e-4));
    BesideGpuPace tempo(timeline);
    tempo.beat(kEnd, kLook, 1'000);
    CHECK(tempo.beat(kEnd, kLook, 700).pace.scale == timeline.pace_after(1'000).scale);
    CHECK(tempo.beat(kEnd, kLook, 1'032).beside == 0);
}

TEST_CASE("no more is expected than can be consumed") {
    const Timeline timeline = prepared(plan_with(1e-4));
    constexpr std::uint64_t kMet = 5'120; // an era's end, say
    BesideGpuPace tempo(timeline);
    tempo.beat(kMet, kLook, 1);
    tempo.beat(kMet, kLook, kMet / 2);
    CHECK(tempo.beat(kMet, kLook, kMet - 64).beside <= 1);
    CHECK(tempo.beat(kMet, kLook, kMet - 20).beside == 0);
    CHECK(tempo.beat(kMet, kLook, kMet - 1).beside == 0);
}
