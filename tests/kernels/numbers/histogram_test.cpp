#include "kernels/numbers/histogram.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hogwild;

TEST_CASE("small counts are exact") {
    Histogram histogram;
    for (std::uint64_t v = 0; v < 64; ++v) histogram.add(v);
    CHECK(histogram.count() == 64);
    CHECK(histogram.sum() == 63 * 64 / 2);
    CHECK(histogram.quantile(0.5) == 31);
    CHECK(histogram.quantile(1.0) == 63);
    CHECK(histogram.quantile(1.0 / 64) == 0);
}

TEST_CASE("any quantile is within 1/32 of the value, up to 2^64, and the maximum is exact") {
    for (std::uint32_t bits = 0; bits < 64; ++bits) {
        const std::uint64_t value = (std::uint64_t{1} << bits) + (std::uint64_t{1} << bits) / 3;
        Histogram histogram;
        histogram.add(value);
        histogram.add(~std::uint64_t{0});
        const std::uint64_t found = histogram.quantile(0.5);
        CHECK(found >= value);
        CHECK(static_cast<double>(found - value) <= static_cast<double>(value) / 32);
        CHECK(histogram.max() == ~std::uint64_t{0});
        CHECK(histogram.quantile(1.0) == ~std::uint64_t{0});
    }
}

TEST_CASE("merging is counting together") {
    Histogram left, right, both;
    for (std::uint64_t v = 1; v < 100'000; v = v * 3 / 2 + 1) {
        (v % 2 == 0 ? left : right).add(v);
        both.add(v);
    }
    left.merge(right);
    CHECK(left.count() == both.count());
    CHECK(left.sum() == both.sum());
    for (const double q : {0.1, 0.5, 0.9, 1.0}) CHECK(left.quantile(q) == both.quantile(q));
}

TEST_CASE("an empty histogram has nothing to say") {
    CHECK(Histogram().quantile(0.5) == 0);
    CHECK(Histogram().count() == 0);
}

TEST_CASE("buckets are named by what they count: ascending, apart, and none is lost") {
    Histogram histogram;
    const std::uint64_t values[] = {0, 1, 63, 64, 65, 4095, 4096, std::uint64_t{1} << 40, ~std::uint64_t{0}};
    for (const std::uint64_t value : values) {
        histogram.add(value);
        histogram.add(value);
    }
    std::uint64_t counted = 0, next = 0;
    histogram.each([&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
        CHECK(from >= next);
        CHECK(from <= to);
        CHECK(count == 2 * static_cast<std::uint64_t>(std::ranges::count_if(
                               values, [&](std::uint64_t value) { return from <= value && value <= to; })));
        counted += count;
        next = to + 1;
    });
    CHECK(counted == histogram.count());
}
