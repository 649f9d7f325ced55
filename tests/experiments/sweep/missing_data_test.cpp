// Sweeps whose file says that they go on without data that are not here.
#include "experiments/sweep/missing_data.h"

#include "tests/experiments/sweep/sweeps.h"

using namespace hogwild;

namespace {

/// Two files and generated data; an override and an exclusion fit nothing but one of the files.
constexpr const char* kThree = R"(
[run]
no-cache = true
[axes]
data = ["first.svm", "synthetic:rows=300,features=40,nonzeros=5", "second.svm"]
scheme = ["serial", "minibatch"]
threads = [1]
epochs = [1, 2]
[[exclude]]
data = ["synthetic:rows=300,features=40,nonzeros=5", "second.svm"]
epochs = 2
[[exclude]]
data = "first.svm"
scheme = "minibatch"
[[override]]
when = { epochs = 2 }
set = { observe = 3 }
[data]
missing = "leave-out"
[seeds]
final = "1..2"
)";

void put(const SpecFile& spec, const char* name) {
    std::ofstream(spec.scratch.path / name) << "+1 1:1 3:0.5\n-1 2:1\n+1 1:0.5\n-1 2:0.5 3:1\n";
}

std::string left_out(const std::string& name) { return "left out: " + name + " is not here (no such file); "; }

/// The data of the final runs, in their order.
std::vector<std::string> data_of(const SpecFile& spec) {
    std::vector<std::string> names;
    for (const auto& row : columns(spec.out() / "summary.csv", {"data"})) {
        if (names.empty() || names.back() != row.at(0)) names.push_back(row.at(0));
    }
    return names;
}

constexpr const char* kGenerated = "synthetic:rows=300,features=40,nonzeros=5";

} // namespace

TEST_CASE("a sweep goes on without data that are not here, and says once which") {
    const SpecFile spec(kThree);
    const Finished done = spec.run();
    CHECK_MESSAGE(done.code == 0, done.error);
    for (const char* name : {"first.svm", "second.svm"}) {
        const auto at = done.error.find(left_out(name));
        CHECK_MESSAGE(at != std::string::npos, done.error);
        CHECK(done.error.find(left_out(name), at + 1) == std::string::npos);
    }
    CHECK(done.error.find("fits nothing") == std::string::npos); // those of other days do
    CHECK(data_of(spec) == std::vector<std::string>{kGenerated});
    CHECK(text_of(spec.out() / "sweep.toml") ==
          std::string(kThree) + "\n# left out: first.svm\n\n# left out: second.svm\n");
    const std::string planned = spec.run({"--dry-run"}).out;
    CHECK(planned.find(left_out("first.svm")) == 0);
    CHECK(planned.find("2 combinations, 0 trials and 4 final runs, of which 4 are done") != std::string::npos);
}

TEST_CASE("data that have come are taken in by the same command, and those that have gone leave the tables") {
    const SpecFile spec(kThree);
    REQUIRE(spec.run().code == 0);
    put(spec, "first.svm");
    const Finished later = spec.run();
    CHECK_MESSAGE(later.code == 0, later.error);
    CHECK(later.error.find(left_out("first.svm")) == std::string::npos);
    CHECK(data_of(spec) == std::vector<std::string>{"first.svm", kGenerated});
    CHECK(losses(spec.out() / "summary.csv").size() == 8); // serial, of one and two epochs; serial and minibatch
    for (const auto& [key, count] : ends(spec.out() / "journal")) CHECK(count == 1);
    CHECK(text_of(spec.out() / "sweep.toml") == std::string(kThree) + "\n# left out: second.svm\n");
    const std::string journal = text_of(spec.out() / "journal");
    std::filesystem::remove(spec.scratch.path / "first.svm");
    CHECK(spec.run().code == 0);
    CHECK(data_of(spec) == std::vector<std::string>{kGenerated});
    CHECK(text_of(spec.out() / "journal") == journal); // nothing ran
}

TEST_CASE("a file's place may be named, and it is looked for there alone") {
    const SpecFile spec(kThree);
    std::filesystem::create_directory(spec.scratch.path / "far");
    put(spec, "first.svm");
    put(spec, "far/second.svm");
    const Finished done = spec.run({"--set", "axes.data=['far/first.svm', 'far/second.svm']"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(done.error.find(left_out("far/first.svm")) != std::string::npos);
    CHECK(data_of(spec) == std::vector<std::string>{"far/second.svm"});
}

TEST_CASE("without a word in its file, or with none of its data here, a sweep is refused before anything runs") {
    const SpecFile spec(kThree);
    const Finished none = spec.run({"--set", "axes.data=['first.svm', 'second.svm']"});
    CHECK(none.code == 69);
    CHECK_MESSAGE(none.error.find("nothing is left to run (not here: first.svm, second.svm); put one of them here") !=
                      std::string::npos,
                  none.error);
    CHECK(!std::filesystem::exists(spec.out()));
    const Finished strict = spec.run({"--set", "data.missing=error"});
    CHECK(strict.code == 69);
    CHECK_MESSAGE(strict.error.find("cannot read first.svm") != std::string::npos, strict.error);
}

TEST_CASE("a file that is here and cannot be taken is an error, not left out") {
    const SpecFile spec(kThree);
    std::ofstream(spec.scratch.path / "second.svm") << "no sample\n";
    CHECK(spec.run().code == 1);
    std::filesystem::remove(spec.scratch.path / "second.svm");
    std::filesystem::create_directory(spec.scratch.path / "second.svm");
    CHECK(spec.run().code == 69);
}
