// The sweeps that come with the program: experiments/specs/*.toml.
#include "engine/data/synthetic/synthetic.h"
#include "engine/data/synthetic/synthetic_graph.h"
#include "engine/data/synthetic/synthetic_images.h"
#include "engine/data/synthetic/synthetic_ratings.h"
#include "engine/data/synthetic/synthetic_words.h"
#include "engine/plan/plan.h"
#include "experiments/sweep/spec/cases.h"
#include "experiments/sweep/spec/paper_runs.h"
#include "experiments/sweep/sweep.h"
#include "experiments/sweep/sweep_inputs.h"
#include "tests/experiments/program.h"
#include "tests/source_dir.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <sstream>

using namespace hogwild;

namespace {

std::vector<fs::path> specs() {
    std::vector<fs::path> found;
    for (const auto& file : fs::directory_iterator(source_dir() / "experiments" / "specs"))
        found.push_back(file.path());
    std::ranges::sort(found);
    return found;
}

/// What each command at the head of a sweep's file sets: {"run.data=mnist"}.
std::vector<std::vector<std::string>> commands(const fs::path& file) {
    std::istringstream text(read_spec(file).text);
    std::vector<std::vector<std::string>> commands{{}}; // as it is, first
    bool goes_on = false;
    for (std::string line; std::getline(text, line) && line.starts_with('#');) {
        if (!goes_on && line.find(" hogwild sweep ") == std::string::npos) continue;
        if (!goes_on) commands.emplace_back();
        goes_on = line.ends_with('\\');
        std::istringstream words(line);
        for (std::string word, before; words >> word; before = word) {
            std::erase(word, '\''); // of the shell
            if (before == "--set") commands.back().push_back(word);
        }
    }
    return commands;
}

/// All of a sweep's runs, but on little data, and by as many threads as it may ask for.
PaperRuns planned_papers(Spec spec) {
    make_small(spec);
    std::erase_if(spec.overrides.back().set, [](const Setting& setting) { return setting.option == "epochs"; });
    spec.run.push_back({"oversubscribe", "true"});
    spec.run.push_back({"no-cache", "true"});
    for (Choice& axis : spec.axes) {
        if (axis.option == "threads") axis.values = {"1", "2", "10", "16"};
    }
    PaperRuns papers(spec.papers);
    for (const auto& settings : by_samples(cases(spec))) {
        const SweepInputs swept(
            settings, [&](const Case& each) { return candidates(spec, each); }, spec.candidates);
        for (const Combination& combination : swept.combinations()) {
            for (const Candidate& each : combination.candidates) papers.add(each.plan, swept.train().name());
        }
    }
    return papers;
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

TEST_CASE("each publication's number is about runs of its sweep, as every command at the head of the file asks for it" *
          doctest::test_suite("not under AddressSanitizer")) {
    std::size_t numbers = 0;
    for (const fs::path& file : specs()) {
        for (const std::vector<std::string>& changes : commands(file)) {
            CAPTURE(file.string());
            CAPTURE(fmt::format("{}", fmt::join(changes, " ")));
            const PaperRuns papers = planned_papers(read_spec(file, changes));
            CHECK(fmt::format("{}", fmt::join(papers.notes(), "\n")) == "");
            numbers += 1;
        }
    }
    CHECK(numbers > specs().size());
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
