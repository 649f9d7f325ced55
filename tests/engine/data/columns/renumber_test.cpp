#include "engine/data/columns/renumber.h"

#include <doctest/doctest.h>

namespace hogwild {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST_CASE("numbers without gaps keep the order of those that they stand for") {
    Numbers numbers{7, 4'000'000'000, 7, 0, 12};
    CHECK(renumber(numbers) == Numbers{0, 7, 12, 4'000'000'000});
    CHECK(numbers == Numbers{1, 3, 1, 0, 2});
    Numbers none;
    CHECK(renumber(none).empty());
}

} // namespace
} // namespace hogwild
