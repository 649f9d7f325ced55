#include "engine/data/synthetic/portable_math.h"
#include "engine/data/synthetic/zipf.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hogwild {
namespace {

TEST_CASE("the alias table gives every rank its probability") {
    for (const double exponent : {0.0, 0.3, 1.0, 1.7, 4.0}) {
        for (const std::uint32_t ranks : {1U, 2U, 3U, 10U, 1000U}) {
            const Zipf zipf(ranks, exponent);
            std::vector<double> mass(ranks);
            for (std::uint32_t slot = 0; slot < ranks; ++slot) {
                const auto bits =
                    static_cast<std::uint32_t>(((std::uint64_t{slot} << 32) + ranks - 1) / ranks); // lands in this slot
                std::uint64_t low = 0,
                              high = std::uint64_t{1} << 32; // the first coin that does not give the rank of coin 0
                const std::uint32_t own = zipf(bits, 0);
                while (low < high) {
                    const std::uint64_t middle = (low + high) / 2;
                    if (zipf(bits, static_cast<std::uint32_t>(middle)) == own)
                        low = middle + 1;
                    else
                        high = middle;
                }
                mass[own] += static_cast<double>(low) * 0x1p-32 / ranks;
                mass[zipf(bits, 0xFFFFFFFF)] += static_cast<double>((std::uint64_t{1} << 32) - low) * 0x1p-32 / ranks;
            }
            double total = 0;
            for (std::uint32_t rank = 0; rank < ranks; ++rank) total += std::pow(rank + 1.0, -exponent);
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                CAPTURE(exponent);
                CAPTURE(rank);
                // A slot's threshold is truncated to 2^-32; a rank is the alias of any number of slots.
                CHECK(std::abs(mass[rank] - std::pow(rank + 1.0, -exponent) / total) <= 0x1p-31);
            }
        }
    }
}

TEST_CASE("the portable logarithm and exponential agree with the library to 1e-14") {
    for (double x = 1e-30; x < 1e30; x *= 1.37) {
        CHECK(std::abs(portable::log(x) - std::log(x)) <= 1e-14 * std::max(1.0, std::abs(std::log(x))));
        const double y = std::log(x);
        CHECK(std::abs(portable::exp(y) / std::exp(y) - 1) <= 1e-14 * std::max(1.0, std::abs(y)));
    }
    CHECK(portable::exp(0) == 1);
    CHECK(portable::log(1) == 0);
}

} // namespace
} // namespace hogwild
