// What runs differ in is said, where no column shows it.
#include "tests/experiments/program.h"

#include "experiments/folder/unseen_settings.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hogwild {
namespace {

struct Differing {
    std::string option;
    std::vector<std::string> others, values;
};

const std::vector<Differing> kDiffering = {{"--int8-range", {"--numbers", "int8"}, {"0.25", "8"}},
                                           {"--plateau", {"--step", "backoff"}, {"0.01", "0.9"}},
                                           {"--half-life", {"--step", "inverse-time"}, {"1", "3"}},
                                           {"--observe", {}, {"1", "2"}}};

TEST_CASE("a comparison says in what runs differ that no column shows") {
    for (const Differing& differing : kDiffering) {
        const std::string& option = differing.option;
        const std::vector<std::string>&others = differing.others, &values = differing.values;
        CAPTURE(option);
        const Scratch scratch;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::vector<std::string> words{
                "run",  "--data", kTiny,  "--scheme", "serial",    "--epochs",     "2",  "--seed",
                "1..3", "--l2",   "1e-4", "--quiet",  "--no-plot", "--no-warm-up", "-o", i == 0 ? "a" : "b",
                option, values[i]};
            words.insert(words.end(), others.begin(), others.end());
            REQUIRE(call(words, scratch.path).code == 0);
        }
        const auto said = [&](const char* one, const char* other) {
            return call({"compare", one, other, "--metric", "updates-per-second"}, scratch.path).error;
        };
        CHECK(holds(said("a", "b"), "runs differ in " + option + " (" + values[0]));
        CHECK_FALSE(holds(said("a", "a"), "runs differ"));
    }
}

} // namespace
} // namespace hogwild
