#include "engine/schemes/walk/consumed.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace hogwild;

TEST_CASE("the least share is that of the worker with fewest samples, of two workers or more that have some") {
    std::vector<PublishedCount> lines(3);
    Consumed consumed(lines);
    CHECK(std::isnan(consumed.least_share()));
    CHECK(consumed.each() == std::vector<std::uint64_t>(3));
    for (unsigned worker = 0; worker < 3; ++worker) consumed.add(worker, 20);
    CHECK(consumed.least_share() == 1.0);
    consumed.add(0, 40);
    consumed.add(1, 20); // 60, 40, 20
    CHECK(consumed.least_share() == 0.5);
    CHECK(consumed.each() == std::vector<std::uint64_t>{60, 40, 20});
    consumed.set(2, 0);
    CHECK(consumed.least_share() == 0.0);
    CHECK(std::isnan(Consumed(std::span(lines).first(1)).least_share()));
}
