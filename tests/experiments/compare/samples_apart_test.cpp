// Pairs of a comparison: only runs on the same samples.
#include "engine/plan/plan.h"
#include "experiments/compare/samples_apart.h"
#include "experiments/folder/result.h"

#include "tests/experiments/program.h"
#include "tests/experiments/summaries.h"

#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <utility>

namespace hogwild {
namespace {

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

const std::string kSamples = "1 1:1 2:0.2\n2 2:1 3:0.1\n1 1:0.9\n2 2:0.8\n1 1:0.3 2:0.1\n2 3:1\n1 2:0.6\n2 2:0.5\n",
                  kOthers = "1 1:1 2:0.7\n2 2:1 3:0.1\n1 1:0.2\n2 1:0.8\n";

struct Runs {
    Scratch scratch;

    void run(const std::string& folder, std::vector<std::string> more) const {
        std::vector<std::string> words{"run",     "--data",       "d.svm", "--scheme", "serial", "--epochs",
                                       "2",       "--seed",       "1,2,3", "--target", "0.5",    "--no-plot",
                                       "--quiet", "--no-warm-up", "-o",    folder};
        words.insert(words.end(), more.begin(), more.end());
        const Finished done = call(words, scratch.path);
        REQUIRE_MESSAGE((done.code == 0 || done.code == 4), done.error);
    }
    Finished compare(const std::string& a, const std::string& b) const {
        return call({"compare", a, b, "--metric", "updates-per-second"}, scratch.path);
    }
};

TEST_CASE("runs on files of one name and other contents are no pairs") {
    const Runs runs;
    write(runs.scratch.path / "d.svm", kSamples);
    runs.run("a", {});
    runs.run("same", {});
    write(runs.scratch.path / "d.svm", kOthers);
    runs.run("b", {});
    const Finished same = runs.compare("a", "same");
    CHECK_MESSAGE(same.code == 0, same.error);
    CHECK(same.error == "");
    const Finished other = runs.compare("a", "b");
    CHECK_MESSAGE(other.code == 2, other.error);
    CHECK_MESSAGE(holds(other.error, "the content of d.svm changed between runs"), other.error);
    CHECK_MESSAGE(holds(other.error, "have no configuration in common"), other.error);
}

TEST_CASE("runs that were scored on other samples, or whose labels meant something else, are no pairs") {
    const Runs runs;
    write(runs.scratch.path / "d.svm", kSamples);
    write(runs.scratch.path / "t.svm", kOthers);
    runs.run("a", {"--test", "t.svm"});
    runs.run("untested", {});
    runs.run("other-class", {"--positive-class", "1"});
    write(runs.scratch.path / "t.svm", kSamples);
    runs.run("b", {"--test", "t.svm"});
    runs.run("split", {"--test", "held-out:0.5"});
    runs.run("split-2", {"--test", "held-out:0.5", "--split-seed", "7"});
    CHECK(runs.compare("a", "untested").code == 0); // their steps are the same
    for (const auto& pair : {std::pair{"a", "b"}, {"split", "split-2"}, {"untested", "other-class"}}) {
        const Finished done = runs.compare(pair.first, pair.second);
        CHECK_MESSAGE(done.code == 2, pair.first << " and " << pair.second << ": " << done.error);
        CHECK_MESSAGE(holds(done.error, "changed between runs"), done.error);
    }
}

TEST_CASE("within one folder, runs on each content stay among themselves") {
    const Scratch scratch;
    made_up_folder(scratch.path, five_seeds(0.5));
    for (const Result& run : five_seeds(0.5)) {
        if (run.plan.seed == 5) continue; // without a manifest
        fs::create_directories(scratch.path / run.run);
        write(scratch.path / run.run / "manifest.json",
              R"({"data": {"hash": ")" + std::string(run.plan.seed < 4 ? "aa" : "bb") + "\"}}");
    }
    Summary summary = read_summary(scratch.path.string(), {"run"});
    CHECK(tell_samples_apart(std::array{&summary}) ==
          std::vector<std::string>{
              "the content of synthetic:rcv1/20 changed between runs (hashes aa, bb); only runs on the "
              "same are compared"});
    for (const SummaryRow& row : summary.rows) {
        const std::string added = row.text("seed") < "4"   ? " (content aa)"
                                  : row.text("seed") < "5" ? " (content bb)"
                                                           : "";
        CHECK(row.text("data") == "synthetic:rcv1/20" + added);
    }
}

TEST_CASE("runs of unknown content are compared by the name") {
    const Scratch scratch;
    made_up_folder(scratch.path / "a", five_seeds(1));
    made_up_folder(scratch.path / "b", five_seeds(0.5));
    CHECK(call({"compare", "a", "b"}, scratch.path).error == "");
}

TEST_CASE("a run whose manifest cannot be read is no pair of one whose samples are known, and its file is named") {
    const Runs runs;
    write(runs.scratch.path / "d.svm", kSamples);
    runs.run("A", {});
    runs.run("B", {});
    REQUIRE(runs.compare("A", "B").code == 0);
    for (const std::string damaged : {"", "{", "null", "[1]"}) {
        CAPTURE(damaged);
        for (const auto& entry : fs::directory_iterator(runs.scratch.path / "A"))
            if (entry.is_directory()) write(entry.path() / "manifest.json", damaged);
        const Finished done = runs.compare("A", "B");
        CHECK(done.code != 0);
        CHECK(holds(done.error, "3 of the runs' manifests cannot be read"));
        CHECK(holds(done.error, "manifest.json"));
    }
}

} // namespace
} // namespace hogwild
