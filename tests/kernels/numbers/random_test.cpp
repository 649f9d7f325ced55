#include "kernels/numbers/random.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("philox gives the published words of Random123") { // its kat_vectors, philox4x32 with 10 rounds
    CHECK(philox({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    const std::uint32_t ones = 0xffffffff;
    CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
          PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("below stays below its bound and reaches both ends") {
    for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 40}) {
        CHECK(below(bound, 0) == 0);
        CHECK(below(bound, ~std::uint64_t{0}) == bound - 1);
    }
}

TEST_CASE("unit numbers lie in [0, 1)") {
    CHECK(unit_float(0) == 0.0f);
    CHECK(unit_float(~0u) < 1.0f);
    CHECK(unit_double(~std::uint64_t{0}) < 1.0);
    CHECK(unit_float(1u << 31) == 0.5f);
}

TEST_CASE("both words of a seed matter") {
    CHECK(philox_key(std::uint64_t{1} << 32) != philox_key(0));
    CHECK(philox_key(1) != philox_key(0));
}
