#include "engine/schemes/sync/share_queue.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hogwild;

TEST_CASE("shares of an epoch follow on each other, near-equal parts of batches, and none is empty") {
    for (const std::uint32_t rows : {1u, 7u, 100u}) {
        for (const std::uint32_t batch : {1u, 3u, 32u}) {
            if (batch > rows) continue;
            for (const std::uint32_t parts : {1u, 2u, 5u, 40u}) {
                ShareQueue queue(rows, batch, parts);
                for (int epoch = 0; epoch < 2; ++epoch) {
                    queue.begin_at(0);
                    std::uint32_t next = 0;
                    for (Share share = queue.take(); share.count > 0; share = queue.take()) {
                        CHECK(share.first == next);
                        CHECK(share.count <= (batch + parts - 1) / parts);
                        CHECK(share.first / batch == (share.first + share.count - 1) / batch);
                        next += share.count;
                    }
                    CHECK(next == rows);
                }
            }
        }
    }
}

TEST_CASE("shares that are given back are the next ones, in the order that they are to have") {
    ShareQueue queue(12, 6, 2);
    queue.begin_at(0);
    const Share first = queue.take(), second = queue.take();
    CHECK(second == Share{3, 3});
    queue.give_back(second);
    queue.give_back(first);
    queue.give_back({0, 0}); // nothing
    CHECK(queue.take() == first);
    CHECK(queue.take() == second);
    CHECK(queue.take() == Share{6, 3});
}
