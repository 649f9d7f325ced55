#include "experiments/inputs/questions.h"

#include "engine/data/load.h"
#include "experiments/text/json.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

namespace hogwild {
namespace {

TEST_CASE("samples that are no text are asked nothing") {
    LoadOptions options;
    CHECK(questions_of(load(kTiny, options).view()).empty());
    options.samples = RatingsView::kSamples;
    CHECK(questions_of(load("synthetic:netflix/2000", options).view()).empty());
}

TEST_CASE("how many questions a text's words can answer is announced, and written down, of each set that was asked") {
    const Scratch scratch;
    std::ofstream text(scratch.path / "text.txt");
    for (int i = 0; i < 100; ++i) text << "cat dog cat sun moon sun king queen man woman\n";
    text.close();
    std::ofstream(scratch.path / "EN-MEN-TR-3k.txt") << "cat dog 10\ncat moon 1\nsun moon 9\nsun unicorn 4\n";
    std::ofstream(scratch.path / "analogies.txt") << "king queen man woman\nking queen man unicorn\n";
    const Finished done = run_tiny(scratch.path,
                                   {"--problem", "skipgram", "--scheme", "serial", "--similarity", "EN-MEN-TR-3k.txt",
                                    "--analogies", "analogies.txt"},
                                   "text.txt");
    REQUIRE_MESSAGE(done.code == 0, done.error);
    CHECK(holds(done.error, "questions: spearman_men, 3 of 4 pairs are about words of the vocabulary\n"
                            "questions: analogy_accuracy, 1 of 2 analogies are about words of the vocabulary\n"));
    CHECK_FALSE(holds(done.error, "spearman_ws353"));
    std::vector<fs::path> manifests;
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path / "out"))
        if (entry.path().filename() == "manifest.json") manifests.push_back(entry.path());
    REQUIRE(manifests.size() == 1);
    const Json expected = {{"spearman_men", {{"covered", 3}, {"asked", 4}}},
                           {"analogy_accuracy", {{"covered", 1}, {"asked", 2}}}};
    CHECK(json_of(text_of(manifests[0]))["data"]["questions"] == expected);
}

} // namespace
} // namespace hogwild
