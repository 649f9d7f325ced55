#include "kernels/lanes/copy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace hogwild;

TEST_CASE("a copy has every coordinate, for sizes 0 to 67, and writes nothing beyond") {
    for (std::size_t size = 0; size <= 67; ++size) {
        alignas(16) float shared[72];
        for (std::size_t j = 0; j < 72; ++j) shared[j] = static_cast<float>(j + 1);
        std::vector<float> copy(size + 8, -1.0f);
        copy_shared(copy.data(), shared, size);
        CHECK(std::equal(shared, shared + size, copy.begin()));
        CHECK(std::all_of(copy.begin() + static_cast<std::ptrdiff_t>(size), copy.end(),
                          [](float canary) { return canary == -1.0f; }));
    }
}
