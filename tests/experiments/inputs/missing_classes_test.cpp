#include "experiments/inputs/missing_classes.h"

#include "engine/data/images/images.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("classes that no image has are counted, and the first and the last of them named") {
    ImagesArrays arrays(4, {2, 2, 1}, 8);
    const auto line = [&](std::initializer_list<std::uint8_t> labels) {
        std::ranges::copy(labels, arrays.labels.data());
        return missing_classes_line(arrays.view());
    };
    CHECK(
        line({0, 2, 7, 2}).starts_with("warning: 5 of 8 classes have no image, from 1 to 6 (the largest label is 7, "));
    CHECK(line({7, 7, 0, 0}).starts_with("warning: 6 of 8 classes have no image, from 1 to 6 ("));
    CHECK(line({5, 6, 7, 7}).starts_with("warning: 5 of 8 classes have no image, from 0 to 4 ("));
    arrays.classes = 4;
    CHECK(line({0, 1, 3, 0}).starts_with("warning: 1 of 4 classes have no image, 2 ("));
    CHECK(line({3, 2, 1, 0}).empty());
}

TEST_CASE("images of one class, which have a warning of their own, and samples without classes have none") {
    ImagesArrays arrays(2, {2, 2, 1}, 4);
    std::ranges::fill(arrays.labels.span(), std::uint8_t{3});
    CHECK(missing_classes_line(arrays.view()).empty());
    CHECK(missing_classes_line(SparseView{}).empty());
    CHECK(missing_classes_line(RatingsView{}).empty());
}
