#include "experiments/inputs/one_label.h"

#include "engine/data/images/images.h"
#include "experiments/inputs/announce.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace hogwild;

TEST_CASE("images of one label are one class, whatever its number, and are warned of") {
    ImagesArrays arrays(3, {2, 2, 1}, 4);
    for (const std::uint8_t label : {0, 3}) {
        std::ranges::fill(arrays.labels.span(), label);
        CHECK(has_one_label(arrays.view()));
        CHECK(shape_text(arrays.view()) == "3 images of 2 x 2, 1 class");
        CHECK(one_label_line(arrays.view()).starts_with("warning: all 3 samples have one label ("));
    }
    arrays.labels.data()[2] = 1;
    CHECK(!has_one_label(arrays.view()));
    CHECK(shape_text(arrays.view()) == "3 images of 2 x 2, 4 classes");
    CHECK(one_label_line(arrays.view()).empty());
}

TEST_CASE("what has no labels, or a single sample, is not warned of") {
    CHECK(!has_one_label(RatingsView{}));
    CHECK(!has_one_label(SparseView{}));
    CHECK(!has_one_label(ImagesArrays(1, {2, 2, 1}, 2).view()));
}

TEST_CASE("runs, sweeps and tuning on samples of one label warn, also where nothing else is said") {
    const Scratch scratch;
    std::ofstream(scratch.path / "one.svm") << "+1 1:1\n+1 2:1\n";
    std::ofstream(scratch.path / "two.svm") << "+1 1:1\n-1 2:1\n";
    std::ofstream(scratch.path / "sweep.toml") << "[run]\ndata='one.svm'\nscheme='serial'\nno-cache=true\n";
    const std::string warning = "warning: all 2 samples have one label ";
    const auto said = [&](const std::string& data) {
        return call({"run", "--data", data, "--scheme", "serial", "--epochs", "1", "--no-plot", "--no-cache", "--quiet",
                     "-o", "of-" + data},
                    scratch.path)
            .error;
    };
    CHECK(holds(said("one.svm"), warning));
    CHECK(!holds(said("two.svm"), "warning"));
    CHECK(holds(call({"sweep", "sweep.toml", "--dry-run"}, scratch.path).out, warning));
}
