#include "experiments/folder/long_command.h"

#include "experiments/text/json.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {
namespace {

/// A command of so many runs.
std::vector<std::string> command_of(std::size_t runs) {
    std::string steps = "0.1";
    for (std::size_t i = 1; i < runs; ++i) steps += ",0." + std::to_string(i + 1);
    return {"hogwild", "run", "--data", "train.svm", "--step-size", steps};
}

std::size_t bytes(const std::vector<std::string>& command) {
    std::size_t sum = 0;
    for (const std::string& word : command) sum += word.size() + 1;
    return sum;
}

TEST_CASE("the bytes of a command that each of n runs stores do not grow with n") {
    for (const std::size_t runs : {1u, 10u, 100u, 1'000u, 100'000u}) {
        const std::vector<std::string> command = command_of(runs), stored = in_short(command);
        CHECK(bytes(stored) <= 4096 + 64);
        CHECK(stored.size() == command.size());
        CHECK(std::vector<std::string>(stored.begin(), stored.begin() + 5) ==
              std::vector<std::string>(command.begin(), command.begin() + 5));
    }
    std::vector<std::string> words = {"hogwild", "tune"};
    for (int i = 0; i < 10'000; ++i) words.push_back("--set=a.very.long.key=" + std::to_string(i));
    CHECK(bytes(in_short(words)) <= 4096 + 64);
    CHECK(in_short(words)[1] == "tune");
    CHECK(in_short(words).back() == "...");
}

TEST_CASE("a command of few runs is stored as it was typed, one in short ends words behind a value") {
    CHECK(in_short(command_of(100)) == command_of(100));
    const std::string steps = in_short(command_of(5'000)).back();
    CHECK(steps.starts_with("0.1,0.2,0.3,"));
    CHECK(steps.ends_with(",..."));
    std::string letters;
    for (int i = 0; i < 5'000; ++i) letters += "\xC3\xA9";          // two bytes each
    CHECK(in_short({"hogwild", "x" + letters})[1].size() % 2 == 0); // x, whole letters, three dots
}

TEST_CASE("a whole command is kept beside runs that have it in short, and nothing beside others") {
    const Scratch scratch;
    keep_command(scratch.path, command_of(100));
    CHECK(std::filesystem::is_empty(scratch.path));
    const std::vector<std::string> command = command_of(5'000);
    keep_command(scratch.path, command);
    CHECK(json_of(text_of(scratch.path / "command.json")).get<std::vector<std::string>>() == command);
    drop_command(scratch.path);
    CHECK(std::filesystem::is_empty(scratch.path));
}

} // namespace
} // namespace hogwild
