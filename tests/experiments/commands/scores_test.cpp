// What runs are scored by, and what is held out to score them, as a user meets them.
#include "experiments/files/csv_reader.h"
#include "experiments/text/json.h"
#include "tests/experiments/program.h"
#include "tests/experiments/tiny_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace hogwild {
namespace {

/// The fields of this column, of all runs of `folder`/out.
std::vector<std::string> column(const fs::path& folder, const std::string& name) {
    const CsvText table = read_csv(text_of(folder / "out" / "summary.csv"), "summary.csv");
    REQUIRE(table.records.size() > 1);
    const std::vector<std::string>& names = table.records[0].fields;
    const auto at = std::find(names.begin(), names.end(), name);
    REQUIRE(at != names.end());
    std::vector<std::string> fields;
    for (std::size_t i = 1; i < table.records.size(); ++i)
        fields.push_back(table.records[i].fields[static_cast<std::size_t>(at - names.begin())]);
    return fields;
}

Finished train(const fs::path& folder, const std::string& data, const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "--data", data, "--no-cache", "--no-plot", "-o", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words, folder);
}

const std::vector<std::string> kScores = {"test_error",   "test_rmse",    "train_rmse",     "cut_value",
                                          "cut_accuracy", "spearman_men", "spearman_ws353", "analogy_accuracy"};

/// Which scores are filled in, in every run.
std::vector<std::string> scored(const fs::path& folder) {
    std::vector<std::string> filled;
    for (const std::string& score : kScores) {
        const std::vector<std::string> fields = column(folder, score);
        const auto empty = std::count(fields.begin(), fields.end(), "");
        CHECK((empty == 0 || static_cast<std::size_t>(empty) == fields.size()));
        if (empty == 0) filled.push_back(score);
    }
    return filled;
}

/// Every one of 20 users rates every one of 15 items by a user's and an item's part.
std::string ratings() {
    std::string text;
    for (int user = 1; user <= 20; ++user) {
        for (int item = 1; item <= 15; ++item)
            text +=
                std::to_string(user) + " " + std::to_string(item) + " " + std::to_string(user % 4 + item % 3) + "\n";
    }
    return text;
}

struct SplitRun {
    Json test; // the manifest's, with a hash of the samples
    std::uint64_t train_rows;
    std::string test_rmse;
};

SplitRun factorize(const std::vector<std::string>& more) {
    const Scratch scratch;
    std::ofstream(scratch.path / "ratings.txt") << ratings();
    std::vector<std::string> words{"--problem", "factorization", "--rank", "2", "--scheme", "serial", "--epochs", "30"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = train(scratch.path, "ratings.txt", words);
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(scored(scratch.path) == std::vector<std::string>{"test_rmse", "train_rmse"});
    const std::string run = column(scratch.path, "run")[0];
    const Json manifest = json_of(text_of(scratch.path / "out" / run / "manifest.json"));
    return {manifest["test"], manifest["data"]["rows"].get<std::uint64_t>(), column(scratch.path, "test_rmse")[0]};
}

TEST_CASE("ratings are scored by the error of those held out, which a seed of its own chooses") {
    const SplitRun one = factorize({}), again = factorize({"--split-seed", "1"}), seed = factorize({"--seed", "2"}),
                   other = factorize({"--split-seed", "2"}), larger = factorize({"--test", "held-out:0.5"});
    CHECK(std::stod(one.test_rmse) > 0);
    CHECK(std::stod(one.test_rmse) < 0.7); // half of what the mean alone is off by, the root of 1.25 + 2/3
    CHECK(again.test_rmse == one.test_rmse);
    CHECK(again.test == one.test);
    CHECK(seed.test == one.test);
    CHECK(seed.test_rmse != one.test_rmse);
    CHECK(other.test != one.test);
    CHECK(other.test_rmse != one.test_rmse);
    CHECK(larger.test["rows"] > 2 * one.test["rows"].get<std::uint64_t>());
    for (const SplitRun& split : {one, again, seed, other, larger})
        CHECK(split.test["rows"].get<std::uint64_t>() + split.train_rows == 300);
}

TEST_CASE("ratings are scored by the error of those that trained, whether any are held out or none") {
    const Scratch scratch;
    std::ofstream(scratch.path / "ratings.txt") << ratings();
    std::ofstream(scratch.path / "same.txt") << ratings();
    std::vector<std::string> words{"--problem", "factorization", "--rank", "2", "--scheme", "serial", "--epochs", "30"};
    words.insert(words.end(), {"--test", "same.txt"});
    CHECK(train(scratch.path, "ratings.txt", words).code == 0);
    const double trained = std::stod(column(scratch.path, "train_rmse")[0]);
    CHECK(trained > 0);
    CHECK(trained < 0.7);
    CHECK(std::stod(column(scratch.path, "test_rmse")[0]) == doctest::Approx(trained)); // of the same ratings
    std::filesystem::remove_all(scratch.path / "out");
    words.back() = "none";
    CHECK(train(scratch.path, "ratings.txt", words).code == 0);
    CHECK(scored(scratch.path) == std::vector<std::string>{"train_rmse"});
    CHECK(std::stod(column(scratch.path, "train_rmse")[0]) == trained);
}

TEST_CASE("a graph is scored by its cut: the fewest neighbours parted") {
    const Scratch scratch;
    std::ofstream(scratch.path / "tiny.max") << kTinyGraph;
    const Finished done = train(scratch.path, "tiny.max",
                                {"--problem", "cut", "--scheme", "serial,hogwild,minibatch", "--threads", "1,2",
                                 "--update", "atomic", "--epochs", "50"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(scored(scratch.path) == std::vector<std::string>{"cut_value"});
    for (const std::string& value : column(scratch.path, "cut_value")) CHECK(value == "3");
}

TEST_CASE("what is said of a file is said once where a test is held out of it, in as few digits as it has") {
    const Scratch scratch;
    std::string text = ratings() + "3 4 5000.1\n"; // 5000.10009765625 as a float
    std::ofstream(scratch.path / "ratings.txt") << text;
    const Finished done = train(scratch.path, "ratings.txt", {"--problem", "factorization", "--test", "held-out"});
    CHECK(done.code == 0);
    const auto first = done.error.find("note: rating 5000.1 is far from the others");
    REQUIRE(first != std::string::npos);
    CHECK(done.error.find("note: rating", first + 1) == std::string::npos);
    CHECK(done.error.find(", held out of the data\n") != std::string::npos);
}

TEST_CASE("a rating that looks like a slip is noted where ratings are loaded") {
    const Scratch scratch;
    std::ofstream(scratch.path / "ratings.txt") << ratings() << "3 4 5000\n";
    const Finished done = train(scratch.path, "ratings.txt", {"--problem", "factorization", "--test", "none"});
    CHECK(done.code == 0);
    CHECK(holds(done.error, "note: rating 5000 is far from the others, of which nine tenths lie between 0 and 5"));
}

} // namespace
} // namespace hogwild
