#include "engine/measure/increment_loop.h"

#include "kernels/updates/racy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::size_t kCanaries = 16;

std::vector<float> cells_after(std::uint64_t size, std::uint64_t seed, std::initializer_list<std::uint64_t> cuts) {
    std::vector<float> cells(size + kCanaries, 0.0F);
    for (auto cut = cuts.begin(); cut + 1 != cuts.end(); ++cut) {
        increment_at_random(Racy{}, cells.data(), size, seed, *cut, *(cut + 1) - *cut);
    }
    return cells;
}

} // namespace

TEST_CASE("one worker's increments all arrive, inside the buffer") {
    for (const std::uint64_t size : {16, 64, 4096}) {
        const std::vector<float> cells = cells_after(size, 7, {0, 10'000});
        const auto end = cells.begin() + static_cast<std::ptrdiff_t>(size);
        CHECK(std::accumulate(cells.begin(), end, 0.0) == 10'000.0);
        CHECK(std::all_of(end, cells.end(), [](float canary) { return canary == 0.0F; }));
    }
}

TEST_CASE("the draws of a seed do not depend on how they are cut") {
    CHECK(cells_after(1024, 3, {0, 5000}) == cells_after(1024, 3, {0, 2, 1000, 1002, 5000}));
    CHECK(cells_after(1024, 3, {0, 5000}) != cells_after(1024, 4ULL << 40, {0, 5000}));
}

TEST_CASE("coordinates are drawn evenly") {
    // 2^16 draws of 16 cells: binomial with mean 4096 and standard deviation 62; six of them.
    const std::vector<float> cells = cells_after(16, 1, {0, 1 << 16});
    for (std::size_t i = 0; i < 16; ++i) CHECK(std::abs(cells[i] - 4096.0F) < 6 * 62);
}
