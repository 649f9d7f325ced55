// Sweeps that need what is not there.
#include "tests/experiments/sweep/sweeps.h"

using namespace hogwild;

TEST_CASE("a GPU that is not there is exit code 69 before anything runs") {
    const SpecFile spec(
        "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nepochs=1\nscheme='hogwild'\n"
        "[axes]\ndevice=['cpu','gpu']\n[seeds]\nfinal=1");
    std::vector<std::string> words{"/usr/bin/env", "CUDA_VISIBLE_DEVICES=", program()}; // hides what there is
    for (const std::string& word : spec.words()) words.push_back(word);
    Child child(words, spec.scratch.path);
    CHECK(child.finish() == 69);
    CHECK_MESSAGE(child.error.find("--device gpu --memory device cannot run (no GPU: ") != std::string::npos,
                  child.error);
    CHECK(text_of(spec.out() / "journal").empty());
    CHECK(spec.run({"--set", "axes.device=cpu"}).code == 0);
}

TEST_CASE("a file that says nothing of data, or nothing at all, is refused") {
    for (const std::string text : {"", "[axes]\nscheme=['serial']\n"}) {
        const Finished refused = SpecFile(text).run();
        CHECK(refused.code == 2);
        CHECK_MESSAGE(refused.error.find(" names no data (there is nothing to train on)") != std::string::npos,
                      refused.error);
    }
}

TEST_CASE(
    "data that are not there are exit code 69; what ran on others stays, and once they are there the sweep goes on") {
    const SpecFile spec(
        "[run]\nno-cache=true\nepochs=1\nscheme='serial'\n"
        "[axes]\ndata=['synthetic:rows=300,features=40,nonzeros=5','later.svm']\n[seeds]\nfinal='1..2'");
    const Finished missing = spec.run();
    CHECK(missing.code == 69);
    CHECK_MESSAGE(missing.error.find("later.svm") != std::string::npos, missing.error);
    CHECK(ends(spec.out() / "journal").size() == 2);
    std::ofstream(spec.scratch.path / "later.svm") << "+1 1:1 3:0.5\n-1 2:1\n+1 1:0.5\n-1 2:0.5 3:1\n";
    CHECK(spec.run().code == 0);
    CHECK(losses(spec.out() / "summary.csv").size() == 4);
    for (const auto& [key, count] : ends(spec.out() / "journal")) CHECK(count == 1);
}
