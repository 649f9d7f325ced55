#include "experiments/folder/result.h"
#include "experiments/folder/results_folder.h"

#include "engine/error.h"
#include "experiments/text/json.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

Failure failure_of(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.failure();
    }
    FAIL("no error");
    return Failure::kError;
}

Result named(const std::string& run) {
    Result result;
    result.run = run;
    result.outcome.observations = {{.seconds = 1, .updates = 3, .train_loss = 0.5}};
    return result;
}

TEST_CASE("after each record the summary has its row and the run its folder") {
    const Scratch scratch;
    ResultsFolder folder((scratch.path / "a" / "b").string());
    CHECK(text_of(folder.path() / "summary.csv") == summary_header());
    folder.record(named("1-first"), {{"seed", 1}});
    const std::string one = summary_header() + summary_line(named("1-first"));
    CHECK(text_of(folder.path() / "summary.csv") == one);
    folder.record(named("2-second"), {{"seed", 2}});
    CHECK(text_of(folder.path() / "summary.csv") == one + summary_line(named("2-second")));
    CHECK(text_of(folder.path() / "2-second" / "trace.csv") == trace_text(named("")));
    CHECK(json_of(text_of(folder.path() / "1-first" / "manifest.json"))["seed"] == 1);

    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.path())) ++entries;
    CHECK(entries == 3); // nothing unfinished is left
}

TEST_CASE("results are never overwritten or mixed") {
    const Scratch scratch;
    const std::string wanted = (scratch.path / "results").string();
    { ResultsFolder folder(wanted); }
    std::ofstream(wanted + "/summary.csv") << "measured for a week\n";
    CHECK(failure_of([&] { ResultsFolder again(wanted); }) == Failure::kUsage);
    CHECK(text_of(wanted + "/summary.csv") == "measured for a week\n");
    fs::rename(wanted + "/summary.csv", wanted + "/summary.csv.gz");
    CHECK(failure_of([&] { ResultsFolder again(wanted); }) == Failure::kUsage);
}

TEST_CASE("a folder that cannot be made is a disk error") {
    const Scratch scratch;
    std::ofstream(scratch.path / "file") << "x";
    CHECK(failure_of([&] { ResultsFolder folder((scratch.path / "file" / "below").string()); }) == Failure::kDisk);
    CHECK(failure_of([&] { ResultsFolder folder((scratch.path / "file").string()); }) == Failure::kDisk);
}

TEST_CASE("what the constructor refuses is known before, and the look leaves nothing behind") {
    const Scratch scratch;
    const std::string taken = (scratch.path / "taken").string();
    { ResultsFolder folder(taken); }
    std::ofstream(scratch.path / "file") << "x";
    CHECK(failure_of([&] { ResultsFolder::check(taken); }) == Failure::kUsage);
    CHECK(failure_of([&] { ResultsFolder::check((scratch.path / "file" / "below").string()); }) == Failure::kDisk);
    CHECK(failure_of([&] { ResultsFolder::check((scratch.path / "file").string()); }) == Failure::kDisk);
    CHECK(failure_of([] { ResultsFolder::check("/proc/no/such/folder"); }) == Failure::kDisk);
    ResultsFolder::check(scratch.path.string());
    ResultsFolder::check((scratch.path / "new" / "below" / "").string());
    CHECK(std::distance(fs::directory_iterator(scratch.path), fs::directory_iterator()) == 2);
    CHECK(std::distance(fs::directory_iterator(taken), fs::directory_iterator()) == 1);
}

TEST_CASE("a folder that is taken back may be named again, one that was there before stays") {
    const Scratch scratch;
    const fs::path made = scratch.path / "made";
    ResultsFolder(made.string()).discard();
    CHECK_FALSE(fs::exists(made));
    ResultsFolder(scratch.path.string()).discard();
    CHECK(fs::is_empty(scratch.path));
}

TEST_CASE("a link that was planted where a run is recorded is not followed") {
    const Scratch scratch;
    const fs::path victim = scratch.path / "victim";
    std::ofstream(victim) << "precious";
    ResultsFolder folder((scratch.path / "out").string());
    fs::create_directory(folder.path() / ".1-first.unfinished");
    for (const char* file : {"manifest.json", "trace.csv"})
        fs::create_symlink(victim, folder.path() / ".1-first.unfinished" / file);
    folder.record(named("1-first"), {{"seed", 1}});
    fs::create_directory(scratch.path / "elsewhere");
    fs::create_directory_symlink(scratch.path / "elsewhere", folder.path() / ".2-second.unfinished");
    folder.record(named("2-second"), {{"seed", 2}});
    CHECK(text_of(victim) == "precious");
    CHECK(fs::is_empty(scratch.path / "elsewhere"));
    for (const char* run : {"1-first", "2-second"}) {
        CHECK_FALSE(fs::is_symlink(folder.path() / run));
        CHECK(text_of(folder.path() / run / "trace.csv") == trace_text(named("")));
        CHECK(fs::status(folder.path() / run).permissions() == fs::perms::owner_all);
    }
}

TEST_CASE("what cannot be written is an error of the disk") {
    const Scratch scratch;
    std::ofstream(scratch.path / "there") << "mine";
    CHECK(failure_of([&] { write_file(scratch.path / "there", "text"); }) == Failure::kDisk);
    CHECK(text_of(scratch.path / "there") == "mine");
    CHECK(failure_of([&] { write_file(scratch.path / "nowhere" / "file", "text"); }) == Failure::kDisk);
}

TEST_CASE("folders made at the same time are different, and git does not see them") {
    const Scratch scratch;
    const fs::path before = fs::current_path();
    fs::current_path(scratch.path);
    {
        const ResultsFolder first(""), second("");
        CHECK(first.path() != second.path());
        CHECK(first.path().parent_path() == "hogwild-out");
        CHECK(text_of("hogwild-out/.gitignore") == "*\n");
        CHECK(text_of(second.path() / "summary.csv") == summary_header());
    }
    fs::current_path(before);
}

} // namespace
} // namespace hogwild
