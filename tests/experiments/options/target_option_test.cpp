#include "engine/plan/names.h"
#include "experiments/options/target_option.h"

#include "engine/error.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace hogwild;

namespace {

/// Why it can be no target of the problem; empty: it can.
std::string target_refusal(const std::string& text, std::string_view problem) {
    try {
        check_target(parse_target(text), problem);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("a target's text is what it is read from") {
    for (const char* text : {"0.25", "gap:0.01", "test_rmse:4.1", "spearman_men:-0.5"})
        CHECK(to_string(parse_target(text)) == text);
    for (const char* text : {"gap:1", "gap:0", "test_rmse:", "test_rmse:x", ":1", "test_rmse:inf", "test_rmse"})
        CHECK_THROWS_WITH_AS(parse_target(text), doctest::Contains("--target cannot be"), Error);
}

TEST_CASE("every problem has its own scores for targets, and those that nobody else has") {
    for (const std::string_view problem : catalog::names<Problems>) {
        CAPTURE(problem);
        for (const std::string_view other : catalog::names<Problems>) {
            for (const Score& score : problem_traits(other).scores) {
                CAPTURE(score.name);
                bool own = false;
                for (const Score& each : problem_traits(problem).scores) own = own || each.name == score.name;
                const std::string why = target_refusal(std::string(score.name) + ":0.5", problem);
                CHECK(why.empty() == own);
                for (const std::string_view unknown : known_names("score")) {
                    bool said = false;
                    for (const Score& each : problem_traits(problem).scores) said = said || each.name == unknown;
                    if (!own && unknown != score.name) CHECK((why.find(unknown) != std::string::npos) == said);
                }
            }
        }
        CHECK(target_refusal("0.5", problem).empty());
        CHECK(target_refusal("gap:0.5", problem).empty());
    }
}

TEST_CASE("a slip in a score's name says what was meant") {
    CHECK(target_refusal("test_eror:0.02", "network") ==
          "--target cannot be 'test_eror:0.02' (network is scored by test_error); did you mean test_error:0.02?");
    CHECK(target_refusal("accuracy:0.9", "network") ==
          "--target cannot be 'accuracy:0.9' (network is scored by test_error); name one of these, or give a loss, "
          "--target 0.3");
}

TEST_CASE("no target is beyond what its score can be, and its ends are") {
    for (const std::string_view problem : catalog::names<Problems>) {
        for (const Score& score : problem_traits(problem).scores) {
            CAPTURE(score.name);
            const auto at = [&](double value) {
                return target_refusal(to_string({.value = value, .score = std::string(score.name)}), problem);
            };
            CHECK(at(score.least) == "");
            CHECK(at(score.least - 0.01) != "");
            if (std::isinf(score.most)) continue;
            CHECK(at(score.most) == "");
            CHECK(at(score.most + 0.01) != "");
        }
    }
    CHECK(target_refusal("test_error:2", "network") ==
          "--target cannot be 'test_error:2' (test_error is from 0 to 1); give a share; 2 % are 0.02");
}
