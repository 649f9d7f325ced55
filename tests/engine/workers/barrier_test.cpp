#include "engine/workers/barrier.h"

#include "engine/machine/cores.h"
#include "engine/workers/team.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <new>
#include <vector>

using namespace hogwild;

TEST_CASE("phases never mix: after a barrier every worker sees all of the phase before and nothing of the next") {
    for (unsigned workers = 1; workers <= 8; ++workers) {
        WorkerTeam team(workers, Pin::kNone);
        SpinBarrier barrier(workers, team.oversubscribed());
        std::vector<int> written(workers, 0); // plain: the barrier alone orders them
        std::vector<int> mixed(workers, 0);
        constexpr int kPhases = 100;
        for (int run = 0; run < 2; ++run) { // a barrier serves any number of runs
            team.run([&](unsigned worker) {
                for (int phase = 1; phase <= kPhases; ++phase) {
                    written[worker] = run * kPhases + phase;
                    barrier.wait(worker);
                    mixed[worker] += static_cast<int>(std::count_if(
                        written.begin(), written.end(), [&](int seen) { return seen != run * kPhases + phase; }));
                    barrier.wait(worker);
                }
            });
        }
        CHECK(mixed == std::vector<int>(workers, 0));
    }
}

TEST_CASE("those who wait for a worker that has thrown leave, and the run throws what it threw") {
    for (unsigned workers = 2; workers <= 8; ++workers) {
        WorkerTeam team(workers, Pin::kNone);
        for (unsigned thrower = 0; thrower < workers; ++thrower) {
            SpinBarrier barrier(workers, team.oversubscribed(), &team.failed());
            std::vector<int> passed(workers, 0);
            const auto body = [&](unsigned worker) {
                for (int phase = 0; phase < 100; ++phase) {
                    if (worker == thrower && phase == 50) throw std::bad_alloc();
                    barrier.wait(worker);
                    ++passed[worker];
                }
            };
            CHECK_THROWS_AS(team.run(body), std::bad_alloc);
            CHECK(team.failed());
            for (unsigned worker = 0; worker < workers; ++worker) CHECK(passed[worker] <= 50);
            CHECK(passed[thrower] == 50);
            team.run([](unsigned) {});
            CHECK_FALSE(team.failed());
        }
    }
}

TEST_CASE("a barrier passes with many more workers than cores") {
    const unsigned workers = 4 * usable_cores() + 3;
    WorkerTeam team(workers, Pin::kCores);
    REQUIRE(team.oversubscribed());
    SpinBarrier barrier(workers, team.oversubscribed());
    std::vector<int> turns(workers, 0);
    // Each phase moves a token: worker i + 1 continues what worker i wrote in the phase before.
    team.run([&](unsigned worker) {
        for (unsigned phase = 0; phase < workers; ++phase) {
            if (phase == worker) turns[worker] = worker == 0 ? 1 : turns[worker - 1] + 1;
            barrier.wait(worker);
        }
    });
    CHECK(turns.back() == static_cast<int>(workers));
}
