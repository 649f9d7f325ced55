// Laws of the verdicts that a report has: of runs that were made to be compared, and of enough seeds.
#include "engine/plan/plan.h"
#include "experiments/compare/verdict_table.h"
#include "experiments/folder/result.h"

#include "experiments/files/csv_reader.h"
#include "tests/experiments/summaries.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

namespace hogwild {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs of seeds 1 to `seeds`.
std::vector<Result> first_seeds(std::uint64_t seeds) {
    std::vector<Result> runs = five_seeds(0.5);
    std::erase_if(runs, [&](const Result& run) { return run.plan.seed > seeds; });
    return runs;
}

void be_of(const std::filesystem::path& folder, const std::string& run, const std::string& command, bool finals) {
    std::filesystem::create_directories(folder / run);
    std::ofstream(folder / run / "manifest.json")
        << R"({"command": ["hogwild", ")" << command << R"("], "finals": )" << (finals ? "true" : "false") << '}';
}

TEST_CASE("runs with a target, serial code and three seeds have verdicts") {
    const Scratch scratch;
    be_of(scratch.path, "serial-t1-s1", "run", false);
    write_verdicts(made_up_folder(scratch.path, first_seeds(3)).string());
    const std::vector<CsvRecord> rows = read_csv(text_of(scratch.path / "verdicts.csv"), "verdicts.csv").records;
    REQUIRE(rows.size() == 2);
    const auto cell = [&](const char* column) {
        return rows[1]
            .fields[static_cast<std::size_t>(std::ranges::find(rows[0].fields, column) - rows[0].fields.begin())];
    };
    CHECK(cell("metric") == "time-to-target");
    CHECK(cell("scheme") == "hogwild");
    CHECK(cell("seeds") == "3");
    CHECK(cell("verdict") == "FASTER");
}

TEST_CASE("runs that nothing can be judged by have no verdicts, and no error") {
    std::vector<Result> aimless = first_seeds(5), parallel = first_seeds(5);
    for (Result& run : aimless) {
        run.target = kNone;
        run.to_target = {};
    }
    std::erase_if(parallel, [](const Result& run) { return run.plan.scheme == "serial"; });
    for (const std::vector<Result>& runs : {first_seeds(2), aimless, parallel}) {
        const Scratch scratch;
        write_verdicts(made_up_folder(scratch.path, runs).string());
        CHECK(!std::filesystem::exists(scratch.path / "verdicts.csv"));
    }
    const Scratch empty;
    write_verdicts(empty.path.string());
    CHECK(std::filesystem::is_empty(empty.path));
}

TEST_CASE("of trials of hogwild tune the finals alone have verdicts, on the seeds that all of them ran") {
    const auto seeds_judged = [](std::uint64_t first_of_finals, std::uint64_t last_of_hogwild) {
        std::vector<Result> runs = five_seeds(0.5);
        std::erase_if(
            runs, [&](const Result& run) { return run.plan.scheme == "hogwild" && run.plan.seed > last_of_hogwild; });
        for (std::uint64_t seed = 1; seed <= 5; ++seed) runs.push_back(made_up_run("local-sgd", 2, seed, 1.5));
        const Scratch scratch;
        made_up_folder(scratch.path, runs);
        for (const Result& run : runs) be_of(scratch.path, run.run, "tune", run.plan.seed >= first_of_finals);
        write_verdicts(scratch.path.string());
        const std::string text = text_of(scratch.path / "verdicts.csv");
        const auto records = read_csv(text, "verdicts.csv").records;
        if (records.empty()) return std::string("none");
        const auto column = std::ranges::find(records[0].fields, "seeds") - records[0].fields.begin();
        std::string found;
        for (std::size_t i = 1; i < records.size(); ++i) found += records[i].fields[static_cast<std::size_t>(column)];
        return found;
    };
    CHECK(seeds_judged(1, 5) == "55");
    CHECK(seeds_judged(1, 4) == "44"); // the budget cut off the last seed
    CHECK(seeds_judged(3, 5) == "33");
    CHECK(seeds_judged(4, 5) == "none"); // two seeds
    CHECK(seeds_judged(6, 5) == "none"); // there were no finals
}

TEST_CASE("verdicts that are there stay what they are") {
    const Scratch scratch;
    made_up_folder(scratch.path, first_seeds(5));
    std::ofstream(scratch.path / "verdicts.csv") << "a sweep's";
    write_verdicts(scratch.path.string());
    CHECK(text_of(scratch.path / "verdicts.csv") == "a sweep's");
}

} // namespace
} // namespace hogwild
