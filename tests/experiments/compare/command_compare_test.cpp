// hogwild compare as a user meets it: exit codes, messages, files.
#include "experiments/compare/command_compare.h"
#include "experiments/folder/result.h"

#include "engine/numbers.h"
#include "experiments/text/json.h"
#include "tests/experiments/program.h"
#include "tests/experiments/summaries.h"
#include "tests/full_device.h"

#include <doctest/doctest.h>

#include <fstream>

#include <sys/resource.h>

namespace hogwild {
namespace {

struct Folders {
    Scratch scratch;
    explicit Folders(double factor) {
        made_up_folder(scratch.path / "a", five_seeds(1));
        made_up_folder(scratch.path / "b", five_seeds(factor));
    }
    Finished compare(std::vector<std::string> words, const char* output = nullptr) const {
        words.insert(words.begin(), "compare");
        return call(words, scratch.path, output);
    }
};

TEST_CASE("two folders end in a table, one JSON object a line, and a file") {
    const Folders folders(0.5);
    const Finished table = folders.compare({"a", "b"});
    CHECK(table.code == 0);
    CHECK(table.error == "");
    CHECK(holds(table.out, "1 FASTER, 1 SAME"));
    const Finished json = folders.compare({"a", "b", "--json", "-o", "out", "--csv", "v.csv"});
    CHECK(json.code == 0);
    REQUIRE(lines(json.out) == 2);
    CHECK(json_of(json.out.substr(0, json.out.find('\n')))["verdict"] == "FASTER");
    const std::string written = text_of(folders.scratch.path / "out" / "verdicts.csv");
    CHECK(lines(written) == 3);
    CHECK(written == text_of(folders.scratch.path / "v.csv"));
}

TEST_CASE("--fail-if-slower is exit code 5 when a whole interval says so, and only then") {
    const Folders slower(1.2), same(1), seeds(1.2);
    const Finished failed = slower.compare({"a", "b", "--fail-if-slower", "5%"});
    CHECK(failed.code == 5);
    CHECK(holds(failed.error, "hogwild racy, 2 threads"));
    CHECK(slower.compare({"a", "b", "--fail-if-slower", "30%"}).code == 0);
    CHECK(slower.compare({"b", "a", "--fail-if-slower", "5%"}).code == 0);
    CHECK(same.compare({"a", "b", "--fail-if-slower", "0%"}).code == 0);
    made_up_folder(seeds.scratch.path / "few", {five_seeds(1)[1], five_seeds(1)[3]});
    const Finished undecided = seeds.compare({"few", "b", "--fail-if-slower", "5%"});
    CHECK(undecided.code == 0);
    CHECK(holds(undecided.error, "1 of 1 comparisons are undecided"));
}

TEST_CASE("bad input is refused in the grammar of all errors") {
    const Folders folders(1);
    const auto refused = [&](const std::vector<std::string>& words, const std::string& said) {
        const Finished done = folders.compare(words);
        CHECK_MESSAGE(done.code == 2, words[0] << ": " << done.error);
        CHECK_MESSAGE(holds(done.error, said), done.error);
        CHECK(holds(done.error, " ("));
        CHECK(holds(done.error, "); "));
        CHECK(done.out == "");
    };
    const auto file = [&](const std::string& name, const std::string& text) {
        fs::create_directories(folders.scratch.path / name);
        std::ofstream(folders.scratch.path / name / "summary.csv", std::ios::binary) << text;
    };
    fs::create_directories(folders.scratch.path / "empty");
    file("nothing", "");
    file("other", "name,value\nx,1\n");
    file("rowless", summary_header());
    file("short", summary_header() + "a,b\n" + summary_line(five_seeds(1)[0]));
    file("quotes", summary_header() + "a\"b,c\n");
    refused({"nothing"}, "has no header");
    refused({"other"}, "column 'run' is missing");
    refused({"rowless"}, "has no rows");
    refused({"short"}, "summary.csv:2: 2 fields");
    refused({"quotes"}, "quotes/summary.csv:2: not a CSV line");
    refused({"a", "b", "a"}, "3 folders cannot be compared");
    refused({"a", "b", "--against", "threads=1"}, "--against cannot go with two folders");
    refused({"a", "--against", "colour=red"}, "keys: kind, problem, data");
    refused({"a", "--metric", "beauty"}, "known: time-to-target");
    refused({"a", "--fail-if-slower", "5"}, "give one like 5%");
    refused({"a", "--metric", "time-to-1e-2"}, "run with --target");
    made_up_folder(folders.scratch.path / "parallel", {made_up_run("hogwild", 2, 1, 1)});
    refused({"parallel"}, "no run with scheme=serial");
}

TEST_CASE("a torn last line is left out and said") {
    const Folders folders(1);
    std::ofstream(folders.scratch.path / "b" / "summary.csv", std::ios::app) << "hogwild-t2-s6,hin";
    const Finished done = folders.compare({"a", "b"});
    CHECK(done.code == 0);
    CHECK(holds(done.error, "b/summary.csv:12: torn last line left out"));
}

TEST_CASE("what cannot be written is exit code 74") {
    const Folders folders(1);
    CHECK(folders.compare({"a", "b", "--csv", "absent/v.csv"}).code == 74);
    const auto full = full_device(folders.scratch.path);
    if (!full) return;
    CHECK(folders.compare({"a", "b"}, full->c_str()).code == 74);
    CHECK(folders.compare({"a", "b", "--csv", *full}).code == 74);
}

TEST_CASE("verdicts that find the disk full leave the old ones") {
    const Folders folders(1);
    const fs::path old = folders.scratch.path / "v.csv";
    std::ofstream(old) << "old";
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit full{16, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &full) == 0); // of the program that is called too
    const Finished done = folders.compare({"a", "b", "--csv", "v.csv"});
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK_MESSAGE(done.code == 74, done.error);
    CHECK(text_of(old) == "old");
    CHECK(folders.compare({"a", "b", "--csv", "v.csv"}).code == 0);
    CHECK(lines(text_of(old)) == 3);
}

TEST_CASE("verdicts never replace what they are made from") {
    const Folders folders(1);
    const std::string summary = text_of(folders.scratch.path / "b" / "summary.csv");
    fs::create_symlink("b/summary.csv", folders.scratch.path / "v.csv");
    const Finished done = folders.compare({"a", "b", "--csv", "v.csv"});
    CHECK(done.code == 2);
    CHECK(holds(done.error, "--csv cannot be v.csv (it is b/summary.csv, which this command reads)"));
    CHECK(text_of(folders.scratch.path / "b" / "summary.csv") == summary);
}

} // namespace
} // namespace hogwild
