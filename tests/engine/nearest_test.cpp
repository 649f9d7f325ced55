#include "engine/nearest.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hogwild;

TEST_CASE("what was meant is the word of fewest slips, of letters too many, too few and wrong") {
    const std::vector<std::string> known{"--threads", "--read", "--observe", "--step", "--step-size", "run", "sweep"};
    CHECK(nearest("--thread", known) == "--threads");
    CHECK(nearest("--threeads", known) == "--threads");
    CHECK(nearest("--obverse", known) == "--observe");
    CHECK(nearest("--stepsize", known) == "--step-size");
    CHECK(nearest("--steps", known) == "--step");
    CHECK(nearest("rum", known) == "run");
    CHECK(nearest("--read", known) == "--read");
}

TEST_CASE("capital letters are no slips") {
    CHECK(nearest("LeNet", {"lenet", "cnn-32-64"}) == "lenet");
    CHECK(nearest("--Threds", {"--read", "--threads"}) == "--threads");
}

TEST_CASE("a word of which more than a third would be slips was not meant") {
    CHECK(nearest("--learning-rate", {"--read", "--step"}) == "");
    CHECK(nearest("--lr", {"--l2"}) == ""); // of two letters
    CHECK(nearest("walk", {"run", "tune", "data"}) == "");
    CHECK(nearest("abxxxx", {"abcdef"}) == "");
    CHECK(nearest("abcdxx", {"abcdef"}) == "abcdef");
    CHECK(nearest("anything", {}) == "");
}
