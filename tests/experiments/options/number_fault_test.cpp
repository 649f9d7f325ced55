// Numbers as people type them: what is none is named as it was typed, with why.
#include "experiments/options/number_fault.h"

#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <limits>

namespace hogwild {
namespace {

TEST_CASE("a number has two ends beyond which it is none, and a text that is no number has neither") {
    const auto why = [](const char* text) { return why_no_number(text, "no number"); };
    CHECK(why("1e400") == "it is beyond the largest number, 1.8e308");
    CHECK(why("-1e400") == "it is beyond the largest number, 1.8e308");
    CHECK(why("1e-400") == "it is closer to 0 than the smallest number, 4.9e-324");
    for (const char* text : {"", "five", "nan", "inf", "0x10", "1_000", " 5", "5 ", "1e400x", " 1e400"})
        CHECK(why(text) == "no number");
}

TEST_CASE("a whole number is one of digits alone") {
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    for (const char* text : {"0", "5", "18446744073709551615"}) CHECK(whole_number_fault(text, 0, kMost).empty());
    for (const char* text : {"", "-1", "-0", "+5", " 5", "5 ", "0x10", "1e3", "1.0", "1_000", "18446744073709551616"})
        CHECK(whole_number_fault(text, 0, kMost) ==
              "'" + std::string(text) + "' is not a whole number from 0 to 18446744073709551615");
    CHECK(whole_number_fault("0", 1, 9) == "'0' is not a whole number from 1 to 9");
    CHECK(whole_number_fault("10", 1, 9) == "'10' is not a whole number from 1 to 9");
}

TEST_CASE("options refuse numbers that nobody meant, and say what was typed") {
    const Scratch scratch;
    const auto refused = [&](const std::vector<std::string>& words, const std::string& said) {
        std::vector<std::string> all{"run", "--data", "synthetic:tiny", "--scheme", "serial", "--quiet", "--no-plot",
                                     "-o",  "R"};
        all.insert(all.end(), words.begin(), words.end());
        const Finished done = call(all, scratch.path);
        CHECK_MESSAGE(done.code == 2, words.back() << ": " << done.code);
        CHECK_MESSAGE(holds(done.error, said), done.error);
        CHECK(!fs::exists(scratch.path / "R"));
    };
    for (const char* text : {"-1", "0x10", "+5", " 5", "-0", "99999999999999999999", "1e3", "five"}) {
        for (const char* option : {"--split-seed", "--min-count"})
            refused({std::string(option) + "=" + text},
                    std::string(option) + ": '" + text + "' is not a whole number from ");
    }
    for (const char* text : {"0x10", " 5", "5 ", "1_000", "five", "nan"}) {
        refused({"--positive-class=" + std::string(text)},
                "--positive-class: '" + std::string(text) +
                    "' is no number that can be used: it is not a finite number");
    }
    refused({"--positive-class=1e400"}, "'1e400' is no number that can be used: it is beyond the largest number");
    refused({"--positive-class=1e-400"}, "'1e-400' is no number that can be used: it is closer to 0 than the smallest");
    refused({"--delay=1e-400"}, "--delay cannot be '1e-400' (it is closer to 0 than the smallest number, 4.9e-324)");
    refused({"--l2=1e400"}, "--l2 cannot be '1e400' (it is beyond the largest number, 1.8e308)");
    refused({"--half-life=1e400"}, "--half-life cannot be '1e400' (it is beyond the largest number, 1.8e308)");
    refused({"--budget=1e308h"}, "--budget cannot be '1e308h' (so many seconds are no number)");
    refused({"--budget=1e400"}, "--budget cannot be '1e400' (it is beyond the largest number, 1.8e308)");
    refused({"--budget=-1"}, "--budget cannot be '-1' (it is no time above 0)");
}

TEST_CASE("a name that is empty is none, as that of a variable that nobody set") {
    const Scratch scratch;
    for (const char* option : {"--save", "-o", "--tensorboard", "--test", "--cache"}) {
        const Finished done =
            call({"run", "--data", "synthetic:tiny", "--quiet", "--no-plot", option, ""}, scratch.path);
        CHECK(done.code == 2);
        CHECK_MESSAGE(holds(done.error, "has an empty value"), done.error);
        CHECK_MESSAGE(holds(done.error, option), done.error);
    }
    CHECK(call({"compare", ""}, scratch.path).code == 2);
    CHECK(fs::is_empty(scratch.path));
}

TEST_CASE("a flag takes no value, and a size is one though nothing is saved by it") {
    const Scratch scratch;
    const auto said = [&](const char* word) {
        const Finished done = call({"run", "--data", "synthetic:tiny", "--no-plot", word}, scratch.path);
        CHECK(done.code == 2);
        CHECK(fs::is_empty(scratch.path));
        return done.error;
    };
    CHECK_MESSAGE(holds(said("--quiet=maybe"), "--quiet takes no value, and was given maybe"), said("--quiet=maybe"));
    CHECK_MESSAGE(holds(said("--grid=axb"), "--grid axb is no size (it is WIDTHxHEIGHT)"), said("--grid=axb"));
}

TEST_CASE("an option without its value is named, with what it takes") {
    const Scratch scratch;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", "--data", "synthetic:tiny", "--epochs"}, {"run", "--epochs="}}) {
        const Finished done = call(words, scratch.path);
        CHECK(done.code == 2);
        CHECK_MESSAGE(holds(done.error, "--epochs needs a value, N, and none was given"), done.error);
    }
}

} // namespace
} // namespace hogwild
