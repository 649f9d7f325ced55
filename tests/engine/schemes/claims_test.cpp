#include "engine/schemes/claims.h"

#include <doctest/doctest.h>

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
                const Stretch stretch = w % 2 == 0 ? claims.block(1 + 15 * w) : claims.stretch(1 + 5 * w);
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
    "a block ends at a multiple of its chunks from its epoch's start, or where its epoch or its observation does") {
    Plan plan;
    plan.epochs = 2;
    plan.observations_per_epoch = 7;
    const Timeline timeline(plan, 50'000);
    for (const std::uint64_t together : {1ULL, 16ULL, 1'000'000ULL}) {
        Claims claims(timeline, 5); // amid a block
        std::uint64_t next = 5;
        for (Stretch block = claims.block(together); !block.empty(); block = claims.block(together)) {
            CHECK(block.begin == next);
            const std::uint64_t whole = (block.end - timeline.epoch_start(block.begin)) % together;
            CHECK((whole == 0 || block.end == timeline.stretch_end(block.begin)));
            CHECK(block.end - block.begin <= together);
            next = block.end;
        }
        CHECK(next == timeline.chunks());
    }
}
