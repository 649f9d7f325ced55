// The sweeps that come with the program: experiments/specs/*.toml.
#include "engine/data/synthetic.h"
#include "engine/data/synthetic_graph.h"
#include "engine/data/synthetic_images.h"
#include "engine/data/synthetic_ratings.h"
#include "engine/data/synthetic_words.h"
#include "experiments/sweep/cases.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

std::vector<fs::path> specs() {
    std::vector<fs::path> found;
    for (const auto& file : fs::directory_iterator(fs::path(HOGWILD_SOURCE_DIR) / "experiments" / "specs"))
        found.push_back(file.path());
    std::ranges::sort(found);
    return found;
}

} // namespace

TEST_CASE("every sweep that comes with the program says what it asks, of data that there are") {
    CHECK(specs().size() >= 5);
    for (const fs::path& file : specs()) {
        CAPTURE(file.string());
        REQUIRE(file.extension() == ".toml");
        const Spec spec = read_spec(file);
        CHECK(!spec.title.empty());
        CHECK(spec.text.find("hogwild sweep experiments/specs/" + file.filename().string()) != std::string::npos);
        const std::vector<Case> all = cases(spec);
        REQUIRE(!all.empty());
        std::size_t here = 0;
        for (const Case& each : all) {
            CHECK(!candidates(spec, each).empty());
            const std::string* data = value_of(each, "data");
            REQUIRE(data != nullptr);
            if (!is_synthetic(*data) && spec.goes_on_without_data) continue; // nobody has to download anything first
            REQUIRE(is_synthetic(*data));
            ++here;
            const std::string* problem = value_of(each, "problem");
            if (problem != nullptr && *problem == "cut")
                CHECK_NOTHROW(parse_synthetic_graph(*data, 1));
            else if (problem != nullptr && *problem == "factorization")
                CHECK_NOTHROW(parse_synthetic_ratings(*data, 1));
            else if (problem != nullptr && *problem == "network")
                CHECK_NOTHROW(parse_synthetic_images(*data, 1));
            else if (is_synthetic_words(*data))
                CHECK_NOTHROW(parse_words(*data, 1));
            else
                CHECK_NOTHROW(parse_synthetic(*data, 1));
        }
        CHECK(here > 0);
    }
}

TEST_CASE("every sweep that comes with the program can be planned, and tunes every combination alike") {
    const Scratch scratch;
    for (const fs::path& file : specs()) {
        const Finished planned =
            call({"sweep", file.string(), "--smoke", "--dry-run", "--set", "run.no-cache=true"}, scratch.path);
        CAPTURE(file.string());
        CHECK_MESSAGE(planned.code == 0, planned.error);
        CHECK(holds(planned.out, " final runs, about "));
        CHECK(!holds(planned.out, "tuning is not equal"));
        CHECK(!fs::exists(scratch.path / "hogwild-out")); // a plan writes nothing
    }
}
