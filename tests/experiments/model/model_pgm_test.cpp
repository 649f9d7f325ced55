// Images of cuts, and hogwild run --save FILE.pgm --grid WxH.
#include "engine/error.h"
#include "experiments/model/model_formats.h"
#include "tests/experiments/program.h"
#include "tests/experiments/tiny_graph.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

namespace hogwild {
namespace {

std::string size_text(const std::string& grid, std::uint64_t nodes) {
    try {
        const ImageSize size = image_size(grid, nodes);
        return std::to_string(size.width) + " by " + std::to_string(size.height);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kUsage);
        return error.what();
    }
}

Finished cut_tiny(const fs::path& folder, const std::vector<std::string>& more) {
    std::ofstream(folder / "tiny.max") << kTinyGraph;
    std::vector<std::string> words{"run",       "--data", "tiny.max", "--no-cache", "--no-plot", "-o", "out",
                                   "--problem", "cut",    "--scheme", "serial",     "--epochs",  "20"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words, folder);
}

TEST_CASE("an image has the size that is asked for, else it is a square") {
    CHECK(size_text("3x2", 6) == "3 by 2");
    CHECK(size_text("6x1", 6) == "6 by 1");
    CHECK(size_text("", 9) == "3 by 3");
    CHECK(size_text("", 6) ==
          "the image's width and height are not known (6 free nodes are no square); add --grid WxH");
    for (const char* grid : {"3x3", "2x2", "0x6", "6x0", "18446744073709551615x6"}) {
        CHECK(size_text(grid, 6) ==
              std::string("--grid ") + grid + " does not fit (the graph has 6 free nodes); name the size of its image");
    }
    for (const char* grid : {"3", "3x", "x2", "3x2x1", "3X2", "-3x2", "3 x2", "3x2 ", "18446744073709551616x1"}) {
        CHECK(size_text(grid, 6) ==
              std::string("--grid ") + grid + " is no size (it is WIDTHxHEIGHT); try --grid 64x64");
    }
}

TEST_CASE("classes are greys from white, the first, to black, the last") {
    Model model;
    model.image = {3, 2};
    model.class_count = 2;
    model.classes = {0, 1, 1, 0, 0, 1};
    CHECK(pgm_bytes(model) == "P5\n3 2\n255\n" + std::string("\xff\x00\x00\xff\xff\x00", 6));
    model.image = {2, 2};
    model.class_count = 4;
    model.classes = {0, 1, 2, 3};
    CHECK(pgm_bytes(model) == "P5\n2 2\n255\n" + std::string("\xff\xaa\x55\x00", 4));
    model.class_count = 1024;
    model.classes = {0, 1, 1022, 1023};
    CHECK(pgm_bytes(model) == "P5\n2 2\n255\n" + std::string("\xff\xff\x01\x00", 4));
}

TEST_CASE("the image of a run is its minimum cut, row by row") {
    const Scratch scratch;
    const Finished done = cut_tiny(scratch.path, {"--save", "cut.pgm", "--grid", "3x2"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(text_of(scratch.path / "cut.pgm") == "P5\n3 2\n255\n" + std::string("\xff\x00\x00\xff\xff\x00", 6));
}

TEST_CASE("an image that cannot be is refused before anything runs") {
    const Scratch scratch;
    const auto refused = [&](const Finished& done, const std::string& said) {
        CHECK(done.code == 2);
        CHECK_MESSAGE(holds(done.error, said), done.error);
        CHECK_FALSE(fs::exists(scratch.path / "x.pgm"));
    };
    refused(cut_tiny(scratch.path, {"--save", "x.pgm"}), "6 free nodes are no square");
    refused(cut_tiny(scratch.path, {"--save", "x.pgm", "--grid", "2x2"}), "--grid 2x2 does not fit");
    refused(cut_tiny(scratch.path, {"--save", "x.pgm", "--grid", "3x2", "--seed", "1,2"}), "there are 2 runs");
    refused(run_tiny(scratch.path, {"--scheme", "serial", "--save", "x.pgm"}), "a model of hinge is no image");
    CHECK_FALSE(fs::exists(scratch.path / "out"));
}

TEST_CASE("an image is no model to read") {
    CHECK_THROWS_WITH_AS(read_pgm("P5\n1 1\n255\n\xff", "x.pgm"), doctest::Contains("an image of a cut"), Error);
}

} // namespace
} // namespace hogwild
