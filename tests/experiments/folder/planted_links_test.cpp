// Links that somebody planted where a run will write: nothing outside of its folder is touched.
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <string>

namespace hogwild {
namespace {

const std::vector<std::string> kRun{"--scheme", "serial", "--in-order"};

/// The one folder of a run below `out`.
fs::path run_below(const fs::path& out) {
    for (const auto& entry : fs::directory_iterator(out))
        if (entry.is_directory()) return entry.path();
    FAIL("no folder of a run");
    return {};
}

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
}

/// What a run leaves in an untouched place, and a file that no run may touch.
struct Untouched {
    Scratch scratch;
    fs::path victim = scratch.path / "victim", out = scratch.path / "planted" / "out", run;
    std::set<std::string> files;

    Untouched() {
        fs::create_directory(scratch.path / "first");
        REQUIRE(run_tiny(scratch.path / "first", kRun).code == 0);
        run = run_below(scratch.path / "first" / "out");
        files = names_in(run);
        fs::create_directories(out);
        fs::create_directory(victim);
        std::ofstream(victim / "file") << "mine";
    }

    fs::path unfinished() const { return out / ("." + run.filename().string() + ".unfinished"); }

    void check_run() const {
        CHECK(run_tiny(scratch.path / "planted", kRun).code == 0);
        CHECK(names_in(out / run.filename()) == files);
        for (const std::string& name : files)
            CHECK(fs::is_regular_file(fs::symlink_status(out / run.filename() / name)));
        CHECK(names_in(victim) == std::set<std::string>{"file"});
        CHECK(text_of(victim / "file") == "mine");
    }
};

TEST_CASE("links in a run's unfinished folder are not followed") {
    const Untouched first;
    fs::create_directory(first.unfinished());
    for (const std::string& name : first.files) fs::create_symlink(first.victim / "file", first.unfinished() / name);
    first.check_run();
}

TEST_CASE("a link in place of a run's unfinished folder is not followed") {
    const Untouched first;
    fs::create_directory_symlink(first.victim, first.unfinished());
    first.check_run();
}

TEST_CASE("a link in place of a run's summary is refused, and its target stays") {
    const Untouched first;
    fs::create_symlink(first.victim / "file", first.out / "summary.csv");
    const Finished done = run_tiny(first.scratch.path / "planted", kRun);
    CHECK(done.code != 0);
    CHECK(holds(done.error, "summary.csv"));
    CHECK(text_of(first.victim / "file") == "mine");
}

TEST_CASE("a link in place of a run's folder is refused or replaced, and its target stays") {
    const Untouched first;
    fs::create_directory_symlink(first.victim, first.out / first.run.filename());
    const Finished done = run_tiny(first.scratch.path / "planted", kRun);
    CHECK((done.code != 0 || !fs::is_symlink(first.out / first.run.filename())));
    CHECK(names_in(first.victim) == std::set<std::string>{"file"});
}

TEST_CASE("links in place of the folders of a sweep are refused, and their targets stay") {
    for (const char* ours : {"tuning", "optima", "figures"}) {
        const Scratch scratch;
        fs::create_directories(scratch.path / "out");
        fs::create_directory(scratch.path / "victim");
        fs::create_directory_symlink("../victim", scratch.path / "out" / ours);
        std::ofstream(scratch.path / "sweep.toml")
            << "[run]\ndata = \"" << kTiny << "\"\nno-cache = true\nepochs = 2\nscheme = \"serial\"\n"
            << "problem = \"logistic\"\ntarget = \"gap:0.5\"\n";
        const Finished done = call({"sweep", "sweep.toml", "-o", "out", "--no-report"}, scratch.path);
        CHECK_MESSAGE(done.code == 74, ours << ": " << done.error);
        CHECK_MESSAGE(holds(done.error, "it is a link, which is not followed"), done.error);
        CHECK(fs::is_empty(scratch.path / "victim"));
    }
}

} // namespace
} // namespace hogwild
