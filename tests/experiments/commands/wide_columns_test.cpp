// Samples of a few columns out of very many.
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <fstream>

using namespace hogwild;

namespace {

/// Thirty samples over four columns, which are numbered so.
void write_samples(const fs::path& file, const std::vector<std::uint64_t>& numbers) {
    std::ofstream out(file);
    for (unsigned i = 0; i < 30; ++i)
        out << fmt::format("{} {}:{} {}:{}\n", i % 3 == 0 ? 1 : -1, numbers[i % 3], 0.5 + i % 7, numbers[3], 1 + i % 2);
}

} // namespace

TEST_CASE("a run and its predictions are those of the columns that occur, however many there are") {
    const Scratch folder;
    write_samples(folder.path / "near.svm", {1, 2, 3, 4});
    write_samples(folder.path / "far.svm", {1, 70'000, 2'000'000, 3'000'000});
    std::vector<std::string> margins;
    for (const std::string name : {"near", "far"}) {
        const Finished run = call({"run", "--data", name + ".svm", "--test", name + ".svm", "--scheme", "serial",
                                   "--epochs", "3", "--no-cache", "--no-plot", "-o", name, "--save", name + ".npy"},
                                  folder.path);
        CHECK(run.code == 0);
        CHECK(holds(run.error, "columns: 4 of 3,000,000 occur") == (name == "far"));
        CHECK(fs::file_size(folder.path / (name + ".npy")) == 128 + 4 * (name == "far" ? 3'000'000 : 4));
        const Finished predicted = call({"predict", "--model", name + ".npy", "--data", name + ".svm", "--no-cache",
                                         "--margins", "-o", name + ".txt"},
                                        folder.path);
        CHECK(predicted.code == 0);
        margins.push_back(text_of(folder.path / (name + ".txt")));
    }
    CHECK(lines(margins[0]) == 30);
    CHECK(margins[0] == margins[1]);
}
