// What runs differ in tells them apart and is said, where no column shows it.
#include "tests/experiments/program.h"

#include "experiments/folder/unseen_settings.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

namespace hogwild {
namespace {

struct Differing {
    std::string option;
    std::vector<std::string> others, values;
    std::string column;
};

const std::vector<Differing> kDiffering = {{"--int8-range", {"--numbers", "int8"}, {"0.25", "8"}, "int8_range"},
                                           {"--plateau", {"--step", "backoff"}, {"0.01", "0.9"}, "plateau"},
                                           {"--half-life", {"--step", "inverse-time"}, {"1", "3"}, "half_life"},
                                           {"--observe", {}, {"1", "2"}, "observations_per_epoch"}};

/// Runs `words` with each of `values`, of three seeds, into the folders a, b, ...
void run_each(const Scratch& scratch, const Differing& differing) {
    for (std::size_t i = 0; i < differing.values.size(); ++i) {
        std::vector<std::string> words{"run",
                                       "--data",
                                       kTiny,
                                       "--scheme",
                                       "serial",
                                       "--epochs",
                                       "2",
                                       "--seed",
                                       "1..3",
                                       "--l2",
                                       "1e-4",
                                       "--quiet",
                                       "--no-plot",
                                       "--no-warm-up",
                                       "-o",
                                       i == 0 ? "a" : "b",
                                       differing.option,
                                       differing.values[i]};
        words.insert(words.end(), differing.others.begin(), differing.others.end());
        REQUIRE(call(words, scratch.path).code == 0);
    }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST_CASE("a verdict on runs that differ in what no column shows names it in its first line, with both values") {
    for (const Differing& differing : kDiffering) {
        const std::string& option = differing.option;
        CAPTURE(option);
        const Scratch scratch;
        run_each(scratch, differing);
        const auto compared = [&](const char* one, const char* other, const char* form) {
            return call({"compare", one, other, "--metric", "updates-per-second", form, "v.csv"}, scratch.path);
        };
        const Finished apart = compared("a", "b", "--csv");
        CHECK(apart.code == 0);
        CHECK_MESSAGE(first_line(apart.out) == "updates-per-second, " + option + ' ' + differing.values[0] +
                                                   " (A) against " + differing.values[1] + " (B)",
                      apart.out);
        CHECK(holds(apart.error, "runs differ in " + option + " (" + differing.values[0]));
        const std::string& column = differing.column;
        CHECK(holds(first_line(text_of(scratch.path / "v.csv")), ',' + column + ','));
        const Finished same = compared("a", "a", "--csv");
        CHECK(first_line(same.out) == "updates-per-second");
        CHECK_FALSE(holds(same.error, "runs differ"));
        CHECK_FALSE(holds(first_line(text_of(scratch.path / "v.csv")), ',' + column + ','));
    }
}

TEST_CASE("runs of one folder that differ in what no column shows are several configurations, and a table tells them") {
    const Scratch scratch;
    run_each(scratch, {"--half-life", {"--step", "inverse-time"}, {"1", "3"}, "half_life"});
    std::string rows = text_of(scratch.path / "b" / "summary.csv");
    rows.erase(0, rows.find('\n') + 1);
    for (const char* seed : {"1", "2", "3"}) {
        const std::string name = std::string(seed) + "-serial-s" + seed, other = "b-" + name;
        fs::rename(scratch.path / "b" / name, scratch.path / "a" / other);
        rows.replace(rows.find(name), name.size(), other);
    }
    std::ofstream(scratch.path / "a" / "summary.csv", std::ios::app) << rows;
    const Finished done = call({"compare", "a", "--metric", "updates-per-second"}, scratch.path);
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK_MESSAGE(holds(first_line(done.out), "--half-life "), done.out);
}

} // namespace
} // namespace hogwild
