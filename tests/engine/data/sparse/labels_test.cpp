#include "engine/data/sparse/labels.h"
#include "engine/error.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace hogwild {
namespace {

std::string mapped(const std::vector<float>& labels, std::optional<double> chosen = std::nullopt,
                   bool must_occur = true) {
    try {
        const double positive = choose_positive_class(distinct_labels(labels), chosen, must_occur, "f");
        std::vector<float> target(labels.size());
        map_labels(labels, positive, target);
        std::string signs;
        for (const float label : target) signs += label == 1 ? '+' : label == -1 ? '-' : '?';
        return signs;
    } catch (const Error& error) {
        return error.what();
    }
}

TEST_CASE("two classes become -1 and +1, the lower one negative") {
    CHECK(mapped({1, -1, 1}) == "+-+");
    CHECK(mapped({0, 1, 0}) == "-+-");
    CHECK(mapped({2, 1, 2}) == "+-+");
    CHECK(mapped({-3, -0.5F}) == "-+");
    CHECK(mapped({0, -1}) == "+-");
}

TEST_CASE("a single class keeps its meaning where it has one") {
    CHECK(mapped({1, 1}) == "++");
    CHECK(mapped({-1}) == "-");
    CHECK(mapped({0}) == "-");
    CHECK(
        mapped({7}) ==
        "f has a single class, 7 (its opposite is unknown); state whether it is positive, such as --positive-class 7");
    CHECK(mapped({7}, 7) == "+");
}

TEST_CASE("more classes need a positive one, which must occur") {
    CHECK(mapped({3, 1, 2, 1}) == "f has 3 classes (1, 2, 3); choose the positive one, such as --positive-class 1, or, "
                                  "if they are numbers to be met, "
                                  "use --real-labels (with --problem squared)");
    CHECK(mapped({3, 1, 2, 1}, 1) == "-+-+");
    CHECK(mapped({3, 1, 2, 1}, 4) ==
          "f has no class 4 (its classes are 1, 2, 3); choose one of them as the positive class");
    CHECK(mapped({3, 1}, 4, false) == "--");
    CHECK(mapped({1, -1}, -1) == "-+");
    std::vector<float> many;
    for (int i = 0; i < 12; ++i) many.push_back(static_cast<float>(i));
    CHECK(mapped(many).starts_with("f has 12 classes (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... 11); "));
}

TEST_CASE("a class is the float that samples hold, typed and in messages") {
    CHECK(mapped({0.1F, 0.7F}, 0.7) == "-+");
    CHECK(mapped({0.1F, 0.7F}, 0.1) == "+-");
    CHECK(mapped({0.1F, 0.7F}, 0.3) ==
          "f has no class 0.3 (its classes are 0.1, 0.7); choose one of them as the positive class");
    CHECK(label_text(double{0.7F}) == "0.7");
    CHECK(label_text(16'777'215) == "16777215");
    CHECK(label_text(-1) == "-1");
    CHECK(label_text(1'000'000) == "1000000");
    CHECK(label_text(-200'000) == "-200000");
    CHECK(label_text(std::numeric_limits<float>::lowest()).size() == 40); // all digits of a label that is refused
}

TEST_CASE(
    "a positive class that is no number, or beyond what a float tells from 0 or holds, is refused, occur or not") {
    for (const double chosen : {std::nan(""), std::numeric_limits<double>::infinity(), 1e-60, -1e-60, 1e39}) {
        for (const bool must_occur : {true, false}) {
            CHECK_THROWS_AS(choose_positive_class({-1, 0}, chosen, must_occur, "f"), Error);
        }
    }
    CHECK(choose_positive_class({-1, 0}, 0, true, "f") == 0);
    CHECK(mapped({0, 1}, 1e-60) ==
          "1e-60 cannot be a class (labels are floats, and it lies beyond their range); name a "
          "class that occurs");
    CHECK(parse_label("1e-60") == 0);
    CHECK(!parse_label("1e39"));
    CHECK(parse_label("1e-45") == double{std::numeric_limits<float>::denorm_min()});
}

TEST_CASE("labels that are no classes are refused") {
    std::vector<float> real;
    for (int i = 0; i < 5000; ++i) real.push_back(static_cast<float>(i) * 0.1F);
    CHECK(mapped(real) == "f has more than 4096 different labels (that looks like regression, not classes); use "
                          "--problem squared --real-labels");
    CHECK(mapped({16777216, 1}).starts_with("f: class 16777216 is too large ("));
}

TEST_CASE("distinct labels are found across the blocks of a large file") {
    std::vector<float> labels(200000, 1.0F);
    labels[0] = 3;
    labels[100000] = 2;
    labels[199999] = -5;
    CHECK(distinct_labels(labels) == std::vector<double>{-5, 1, 2, 3});
}

} // namespace
} // namespace hogwild
