#include "engine/data/permute.h"

#include "kernels/numbers/permutation.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

using namespace hogwild;

TEST_CASE("a place gets the item that the order names, whatever the cycles") {
    for (const std::uint32_t size : {0u, 1u, 2u, 15u, 16u, 17u, 64u, 1'000u, 50'001u}) {
        std::vector<std::uint32_t> before(size);
        std::iota(before.begin(), before.end(), 100u);
        const auto check = [&](const auto& order) {
            std::vector<std::uint32_t> after = before;
            permute(std::span(after), order);
            for (std::uint32_t i = 0; i < size; ++i) CHECK(after[i] == before[order(i)]);
        };
        check([](std::uint32_t i) { return i; });                         // cycles of one
        check([&](std::uint32_t i) { return size - 1 - i; });             // of two
        check([&](std::uint32_t i) { return i + 1 < size ? i + 1 : 0; }); // of all
        check([&](std::uint32_t i) { return i % 3 == 2 ? i - 2 : i / 3 * 3 + 2 < size ? i + 1 : i; });
        if (size == 0) continue;
        for (const std::uint64_t seed : {1, 2, 3}) check(Permutation(size, seed, 0));
    }
}
