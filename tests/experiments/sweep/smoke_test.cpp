// Runs that only show that everything works.
#include "tests/experiments/sweep/sweeps.h"

using namespace hogwild;

TEST_CASE("a smoke run is done at once, and again, into a folder of its own") {
    const SpecFile spec;
    CHECK(spec.run({"--smoke"}).code == 0);
    CHECK(losses(spec.out() / "summary.csv").size() == 2); // one seed
    CHECK(spec.run({"--smoke", "--set", "run.observe=2"}).code == 0);
}

TEST_CASE("neither does a smoke run touch a sweep's folder, nor a sweep a smoke run's") {
    for (const bool smoke_first : {false, true}) {
        const SpecFile spec;
        const std::vector<std::string> smoke{"--smoke"}, real;
        CHECK(spec.run(smoke_first ? smoke : real).code == 0);
        std::map<std::string, std::string> before;
        const std::vector<std::string> files{"summary.csv", "tuning/summary.csv", "choices.csv", "sweep.toml",
                                             "journal"};
        for (const std::string& file : files) before[file] = text_of(spec.out() / file);
        const Finished other = spec.run(smoke_first ? real : smoke);
        CHECK(other.code == 2);
        const std::string holds = smoke_first ? "out holds what a smoke run left (" : "out holds a sweep's results (";
        CHECK_MESSAGE(other.error.find(holds) != std::string::npos, other.error);
        for (const std::string& file : files) CHECK_MESSAGE(text_of(spec.out() / file) == before[file], file);
    }
}
