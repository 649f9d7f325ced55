// That loops end early: laws of StopLoops.
#include "engine/machine/stop_loops.h"

#include "engine/machine/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <optional>

using namespace hogwild;

namespace {

/// Blocks of a loop over 100 that are begun; the third sets `stop`.
unsigned begun(std::atomic<bool>& stop) {
    std::atomic<unsigned> count{0};
    parallel_for(100, 1, [&](std::uint64_t, std::uint64_t) {
        if (++count == 3) stop = true;
    });
    return count;
}

} // namespace

TEST_CASE("a loop leaves out the blocks that have not begun when somebody stops it, and no loop outside of the scope") {
    const unsigned usual = parallelism();
    for (const unsigned threads : {1u, 3u}) {
        set_parallelism(threads);
        CAPTURE(threads);
        std::atomic<bool> stop{false};
        CHECK(begun(stop) == 100);
        stop = false;
        {
            const StopLoops early(&stop);
            const unsigned some = begun(stop);
            CHECK(some >= 3);
            CHECK(some < 3 + threads);
            CHECK(begun(stop) == 0);
            {
                const StopLoops whole(nullptr);
                CHECK(begun(stop) == 100);
            }
            CHECK(begun(stop) == 0);
        }
        CHECK(begun(stop) == 100);
    }
    set_parallelism(usual);
}
