#include "kernels/exchange/collected.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

using namespace hogwild;

namespace {

constexpr std::uint32_t kSize = 40;

struct Worker {
    std::array<float, kSize> own{}, base{};
};

} // namespace

TEST_CASE("what workers collected adds up in the shared coordinates, once, and each of them has read the others'") {
    std::array<float, kSize> shared{};
    std::array<Worker, 3> workers{};
    for (int turn = 1; turn <= 5; ++turn) {
        for (std::size_t w = 0; w < workers.size(); ++w) {
            for (std::uint32_t j = w; j < kSize; ++j) workers[w].own[j] += static_cast<float>(1u << w);
            hand_over(shared.data(), workers[w].own.data(), workers[w].base.data(), kSize);
            CHECK(workers[w].own == shared);
            CHECK(workers[w].base == shared);
        }
        for (std::uint32_t j = 0; j < kSize; ++j)
            CHECK(shared[j] == static_cast<float>(turn * (j == 0 ? 1 : j == 1 ? 3 : 7)));
    }
}

TEST_CASE("coordinates that nobody else wrote become a worker's own, to the last bit") {
    std::array<float, 1> shared{6.3f}, own = shared, base = shared;
    own[0] = -1e-3f;
    REQUIRE(base[0] + (own[0] - base[0]) != own[0]); // rounds twice
    hand_over(shared.data(), own.data(), base.data(), 1);
    CHECK(shared[0] == -1e-3f);
}

TEST_CASE("nothing beyond the last coordinate is touched") {
    for (std::uint32_t count = 0; count <= 35; ++count) {
        std::array<float, kSize> shared{}, own{}, base{};
        own.fill(1);
        hand_over(shared.data(), own.data(), base.data(), count);
        for (std::uint32_t j = 0; j < kSize; ++j) {
            CHECK(shared[j] == (j < count ? 1.0f : 0.0f));
            CHECK(base[j] == shared[j]);
        }
    }
}
