#include "engine/schemes/reached.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("what a run has surely reached is a chunk that some worker has walked, and never before one's own") {
    for (unsigned workers = 1; workers <= 4; ++workers) {
        for (std::uint64_t chunks = 1; chunks <= 30; ++chunks) {
            for (std::uint64_t claimed = 1; claimed <= chunks + 2 * workers; ++claimed) {
                for (std::uint64_t g = 0; g < std::min(claimed, chunks); ++g) {
                    const std::uint64_t far = reached(g, claimed, chunks, workers);
                    const std::uint64_t claims = std::min(claimed, chunks);
                    CHECK(far >= g);
                    CHECK(far < chunks);
                    if (far > g) {
                        CHECK(claims - far == 2 * workers + 1); // claims from `far` on: one more than all can hold
                    } else {
                        CHECK(claims <= g + 2 * workers + 1);
                    }
                }
            }
        }
    }
}
