#include "engine/data/images/image_statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

using namespace hogwild;

TEST_CASE("statistics count classes and exact zeros, and have the moments of what a network reads") {
    const std::vector<std::uint8_t> pixels{0, 51, 255, 0, 0, 102}, labels{3, 0};
    const ImageStatistics facts = describe(
        ImagesView{.pixels = pixels.data(), .labels = labels.data(), .rows = 2, .shape = {1, 3, 1}, .classes = 5});
    CHECK(facts.images == std::vector<std::uint64_t>{1, 0, 0, 1, 0});
    CHECK(facts.zero_share == 0.5);
    CHECK(facts.mean == doctest::Approx(1.6 / 6).epsilon(1e-14));
    CHECK(facts.deviation == doctest::Approx(std::sqrt(1.2 / 6 - std::pow(1.6 / 6, 2))).epsilon(1e-14));
}

TEST_CASE("images of many blocks are counted whole") {
    const std::uint64_t rows = 5'000;
    std::vector<std::uint8_t> pixels(rows * 700), labels(rows, 1);
    for (std::uint64_t k = 0; k < pixels.size(); k += 4) pixels[k] = 255;
    const ImageStatistics facts = describe(
        ImagesView{.pixels = pixels.data(), .labels = labels.data(), .rows = rows, .shape = {28, 25, 1}, .classes = 2});
    CHECK(facts.images == std::vector<std::uint64_t>{0, rows});
    CHECK(facts.zero_share == 0.75);
    CHECK(facts.mean == 0.25);
}
