#include "engine/data/graphs/distribute.h"

#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

struct Numbered {
    std::uint32_t bucket, number;
    bool operator==(const Numbered&) const = default;
};

} // namespace

TEST_CASE("buckets hold their items in the order in which they were") {
    for (const std::size_t size : {0u, 1u, 255u, 256u, 257u, 5'000u, 100'000u}) {
        for (const std::uint32_t buckets : {1u, 2u, 7u, 300u}) {
            for (const bool crowded : {false, true}) {
                CAPTURE(size);
                CAPTURE(buckets);
                CAPTURE(crowded);
                TestNumbers numbers(size + buckets);
                std::vector<Numbered> items;
                for (std::uint32_t i = 0; i < size; ++i) {
                    const std::uint32_t drawn = numbers.bits() % buckets;
                    items.push_back({crowded && i % 10 != 0 ? buckets / 2 : drawn, i});
                }
                std::vector<Numbered> expected = items;
                std::ranges::stable_sort(expected, {}, &Numbered::bucket);
                std::vector<std::uint64_t> begins(buckets + 1);
                for (const Numbered& item : items) ++begins[item.bucket + 1];
                for (std::uint32_t b = 0; b < buckets; ++b) begins[b + 1] += begins[b];
                distribute(std::span(items), std::span<const std::uint64_t>(begins),
                           [&](const Numbered& item, std::uint64_t i) {
                               CHECK(item.number == i);
                               return item.bucket;
                           });
                CHECK(items == expected);
            }
        }
    }
}
