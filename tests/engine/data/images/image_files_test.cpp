#include "engine/data/images/image_files.h"

#include "engine/error.h"
#include "tests/engine/data/scratch.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

std::pair<Failure, std::string> failure_of(const std::string& name, bool is_test = false) {
    try {
        image_files(name, is_test);
    } catch (const Error& error) {
        return {error.failure(), error.what()};
    }
    return {Failure::kError, "accepted"};
}

void write_all(const ScratchFiles& scratch, const std::vector<std::string>& names) {
    for (const std::string& name : names) scratch.write(name, "x");
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a folder holds MNIST's files under their usual names, with a hyphen or a dot, plain or compressed") {
    for (const char* sign : {"-", "."}) {
        for (const char* ending : {"", ".gz", ".bz2", ".xz", ".zst"}) {
            const ScratchFiles scratch;
            const auto path = [&](const std::string& set, const std::string& what) {
                return set + '-' + what + sign + (what == "images" ? "idx3-ubyte" : "idx1-ubyte") + ending;
            };
            for (const char* set : {"train", "t10k"}) write_all(scratch, {path(set, "images"), path(set, "labels")});
            const std::string folder = scratch.path("");
            const ImageFiles train = image_files(folder, false), test = image_files(folder, true);
            CHECK(train.images == Names{scratch.path(path("train", "images"))});
            CHECK(train.labels == scratch.path(path("train", "labels")));
            CHECK(test.images == Names{scratch.path(path("t10k", "images"))});
            CHECK(test.labels == scratch.path(path("t10k", "labels")));
            CHECK(test_images_of(folder) == test.images[0]);
        }
    }
}

TEST_CASE("the labels of a file of images lie beside it, compressed or spelled as it is or not") {
    const ScratchFiles scratch;
    write_all(scratch, {"train-images.idx3-ubyte", "train-labels-idx1-ubyte.xz", "my.images.gz", "my.labels"});
    CHECK(image_files(scratch.path("train-images.idx3-ubyte"), false).labels ==
          scratch.path("train-labels-idx1-ubyte.xz"));
    CHECK(image_files(scratch.path("my.images.gz"), true).labels == scratch.path("my.labels"));
    CHECK(test_images_of(scratch.path("train-images.idx3-ubyte")) == "");
}

TEST_CASE("a folder holds CIFAR-10's batches in their order, or a file of them is named") {
    const ScratchFiles scratch;
    write_all(scratch, {"data_batch_1.bin", "data_batch_2.bin.gz", "data_batch_3.bin", "data_batch_4.bin",
                        "data_batch_5.bin", "test_batch.bin"});
    const ImageFiles train = image_files(scratch.path(""), false);
    CHECK(train.images == Names{scratch.path("data_batch_1.bin"), scratch.path("data_batch_2.bin.gz"),
                                scratch.path("data_batch_3.bin"), scratch.path("data_batch_4.bin"),
                                scratch.path("data_batch_5.bin")});
    CHECK(train.labels == "");
    CHECK(image_files(scratch.path(""), true).images == Names{scratch.path("test_batch.bin")});
    CHECK(test_images_of(scratch.path("")) == scratch.path("test_batch.bin"));
    CHECK(image_files(scratch.path("data_batch_2.bin.gz"), false).images == Names{scratch.path("data_batch_2.bin.gz")});
    std::filesystem::remove(scratch.path("data_batch_4.bin"));
    const auto [failure, message] = failure_of(scratch.path(""));
    CHECK(failure == Failure::kMissing);
    CHECK(message == scratch.path("") + ": data_batch_4.bin is missing (CIFAR-10 has 5 files to train on); put it "
                                        "there, or name a single file");
}

TEST_CASE("what is not there, or cannot be told, is said with a way out") {
    const ScratchFiles scratch;
    const std::string folder = scratch.path("");
    CHECK(failure_of(folder) ==
          std::pair(Failure::kMissing, folder + ": it holds no training images (neither train-images-idx3-ubyte nor "
                                                "data_batch_1.bin, plain or compressed); name a folder with MNIST's or "
                                                "CIFAR-10's files, or synthetic:images"));
    CHECK(failure_of(folder, true) ==
          std::pair(Failure::kMissing, folder + ": it holds no test images (neither t10k-images-idx3-ubyte nor "
                                                "test_batch.bin, plain or compressed); name a file of images, or "
                                                "held-out for a share of the training set"));
    CHECK(test_images_of(folder) == "");
    CHECK(failure_of(scratch.path("absent-images")).first == Failure::kMissing);
    const std::string images = scratch.write("train-images-idx3-ubyte", "x");
    CHECK(failure_of(folder) ==
          std::pair(Failure::kMissing, images + ": its labels are missing (no train-labels-idx1-ubyte beside it, plain "
                                                "or compressed); put it there"));
    const std::string labels = scratch.write("train-labels-idx1-ubyte", "x");
    CHECK(failure_of(labels) ==
          std::pair(Failure::kUsage, labels + ": where its labels are is unknown (its name has no "
                                              "`images` to put `labels` for); name the file of "
                                              "images instead"));
    CHECK(failure_of(scratch.write("pixels", "x"))
              .second.ends_with("name it like train-images-idx3-ubyte; a file of "
                                "CIFAR-10's format ends in .bin"));
    scratch.write("data_batch_1.bin", "x");
    CHECK(failure_of(folder) ==
          std::pair(Failure::kUsage, folder + ": which images are meant is unknown (it holds files of MNIST and of "
                                              "CIFAR-10); name one of them, or put them into folders of their own"));
}

TEST_CASE("an archive is said to be one, and how to unpack it") {
    for (const std::string name : {"cifar-10-binary.tar.gz", "images.tar", "images.tar.xz", "images.tgz"}) {
        const ScratchFiles scratch;
        write_all(scratch, {name});
        const std::string path = scratch.path(name);
        const auto [failure, message] = failure_of(path);
        CHECK(failure == Failure::kUsage);
        CHECK(message == path + " is no file of images (it is an archive of files); unpack it (tar xf " + path +
                             ") and name the folder with its files");
    }
}
