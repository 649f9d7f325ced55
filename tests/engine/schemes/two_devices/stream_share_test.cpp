#include "engine/schemes/two_devices/stream_share.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("a stream's turn follows its speed: one chunk of a slow one, all that it may of a fast one, 2 ms of others") {
    constexpr double kChunk = 256;
    constexpr std::uint64_t kLongest = 1'000;
    CHECK(turn(0, 1.0, kChunk, kLongest) == 1);
    CHECK(turn(1'000, 1.0, kChunk, kLongest) == 1);
    CHECK(turn(1'000'000'000, 1.0, kChunk, kLongest) == kLongest);
    for (const double rate : {1e6, 3e6, 3e7, 1e8}) { // samples a second
        const auto chunks = static_cast<double>(turn(static_cast<std::uint64_t>(rate * 0.25), 0.25, kChunk, kLongest));
        CHECK(chunks * kChunk <= rate * 0.002);
        CHECK((chunks + 1) * kChunk > rate * 0.002);
    }
    CHECK(turn(1'000'000'000, 1e-9, kChunk, 1) == 1);
}
