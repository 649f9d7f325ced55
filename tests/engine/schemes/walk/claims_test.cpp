#include "engine/plan/plan.h"
#include "engine/schemes/walk/claims.h"

#include <doctest/doctest.h>

#include <algorithm>

#include <thread>
#include <vector>

using namespace hogwild;

TEST_CASE("chunks and stretches claimed side by side hand out every chunk once") {
    Plan plan;
    plan.epochs = 3;
    const Timeline timeline(plan, 100'000);
    Claims claims(timeline);
    std::vector<std::vector<std::uint64_t>> taken(4);
    std::vector<std::thread> workers;
    for (unsigned w = 0; w < 4; ++w) {
        workers.emplace_back([&, w] {
            for (;;) {
                const Stretch stretch = w % 2 == 0 ? claims.block([=](std::uint64_t g) { return g + 1 + 15 * w; })
                                                   : claims.stretch(1 + 5 * w);
                if (stretch.empty()) return;
                for (std::uint64_t g = stretch.begin; g < stretch.end; ++g) taken[w].push_back(g);
            }
        });
    }
    for (std::thread& worker : workers) worker.join();
    std::vector<int> times(timeline.chunks());
    for (const auto& chunks : taken) {
        for (const std::uint64_t g : chunks) ++times[g];
    }
    CHECK(times == std::vector<int>(timeline.chunks(), 1));
}

TEST_CASE("a stretch stays within its epoch and its observation, and no longer than asked") {
    Plan plan;
    plan.epochs = 2;
    plan.observations_per_epoch = 7;
    const Timeline timeline(plan, 50'000);
    for (const std::uint64_t most : {1ULL, 3ULL, 1'000'000ULL}) {
        Claims claims(timeline);
        std::uint64_t next = 0;
        for (Stretch stretch = claims.stretch(most); !stretch.empty(); stretch = claims.stretch(most)) {
            CHECK(stretch.begin == next);
            CHECK(stretch.end - stretch.begin <= most);
            CHECK(stretch.end <= timeline.stretch_end(stretch.begin));
            next = stretch.end;
        }
        CHECK(next == timeline.chunks());
    }
}

TEST_CASE(
    "a block ends where its samples' neighbours do, or where its epoch or its observation does, or after 64 chunks") {
    Plan plan;
    plan.epochs = 2;
    plan.observations_per_epoch = 7;
    const Timeline timeline(plan, 50'000);
    for (const std::uint64_t together : {1ULL, 16ULL, 1'000'000ULL}) {
        const auto end_of = [&](std::uint64_t g) { return (g / together + 1) * together; };
        Claims claims(timeline, 5); // amid a block
        std::uint64_t next = 5;
        for (Stretch block = claims.block(end_of); !block.empty(); block = claims.block(end_of)) {
            CHECK(block.begin == next);
            CHECK(block.end == std::min({end_of(block.begin), block.begin + Claims::kMostTogether,
                                         timeline.stretch_end(block.begin)}));
            next = block.end;
        }
        CHECK(next == timeline.chunks());
    }
}
