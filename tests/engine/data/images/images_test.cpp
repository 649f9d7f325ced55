#include "engine/data/images/images.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/data/images/image_statistics.h"
#include "engine/data/load.h"
#include "engine/data/shuffle.h"
#include "engine/data/split.h"
#include "engine/error.h"
#include "kernels/network/bound_images.h"
#include "kernels/numbers/permutation.h"
#include "tests/engine/data/compress.h"
#include "tests/engine/data/image_bytes.h"
#include "tests/engine/data/scratch.h"
#include "tests/test_data.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

LoadOptions of_images() {
    LoadOptions options;
    options.samples = ImagesView::kSamples;
    options.use_cache = false;
    return options;
}

std::string complaint(const std::string& train, const std::string& test) {
    try {
        load_pair(train, test, of_images());
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kError);
        return error.what();
    }
    return "accepted";
}

/// Image i with its label, in bytes.
std::string image(const ImagesView& view, std::uint64_t i) {
    const LabelledImage sample = view.row(i);
    return std::string(1, static_cast<char>(sample.label))
        .append(reinterpret_cast<const char*>(sample.pixels), view.shape.size());
}

/// Images of 2 x 3 whose first byte is their number.
void write_pair(const ScratchFiles& scratch, const std::string& set, const std::vector<std::uint8_t>& labels) {
    std::string entries;
    for (std::size_t i = 0; i < labels.size(); ++i) entries += static_cast<char>(i) + std::string("\0bc\xFF\1", 5);
    const auto count = static_cast<std::uint32_t>(labels.size());
    scratch.write(set + "-images-idx3-ubyte", idx_file({count, 2, 3}, entries));
    scratch.write(set + "-labels-idx1-ubyte", idx_labels(labels));
}

/// 1,000 different images of five classes.
Dataset numbered() {
    auto arrays = std::make_shared<ImagesArrays>(1'000, MapShape{2, 1, 1}, 5);
    for (std::uint64_t i = 0; i < 1'000; ++i) {
        arrays->pixels[2 * i] = static_cast<std::uint8_t>(i);
        arrays->pixels[2 * i + 1] = static_cast<std::uint8_t>(i >> 8);
        arrays->labels[i] = i % 5;
    }
    const ImagesView view = arrays->view();
    return {"numbered", 1, view, std::move(arrays)};
}

} // namespace

TEST_CASE("a folder is a training set with its largest label's classes, and brings its test set") {
    const ScratchFiles scratch;
    write_pair(scratch, "train", {3, 0, 1});
    write_pair(scratch, "t10k", {1, 1});
    const std::string folder = scratch.path(""), test = own_test(folder, ImagesView::kSamples);
    CHECK(test == scratch.path("t10k-images-idx3-ubyte"));
    CHECK(own_test(folder, SparseView::kSamples) == "");
    CHECK(own_test(test, ImagesView::kSamples) == "");
    CHECK(own_test("synthetic:tiny", ImagesView::kSamples) == "synthetic:tiny,held-out");
    LoadReport report;
    for (const std::string& named : {test, folder}) { // a folder named for the test means its test set
        const TrainTest pair = load_pair(folder, named, of_images(), &report);
        const auto &train = pair.train.view().as<ImagesView>(), &held = pair.test.view().as<ImagesView>();
        CHECK(train.rows == 3);
        CHECK(train.shape == MapShape{2, 3, 1});
        CHECK(train.classes == 4);
        CHECK(image(train, 0) == std::string("\3\0\0bc\xFF\1", 7));
        CHECK(image(train, 2) == std::string("\1\2\0bc\xFF\1", 7));
        CHECK(held.rows == 2);
        CHECK(held.classes == 4);
        CHECK(report.file_bytes == 16 + 18 + 8 + 3);
        CHECK(report.text_bytes == report.file_bytes);
        CHECK(pair.train.content_hash() != pair.test.content_hash());
    }
    write_pair(scratch, "train", {0, 0, 0});
    CHECK(load(folder, of_images()).view().as<ImagesView>().classes == 2); // at least
    write_pair(scratch, "train", {255});
    CHECK(load(folder, of_images()).view().as<ImagesView>().classes == 256);
}

TEST_CASE("the hash changes with the labels as with the images") {
    const ScratchFiles scratch;
    std::set<std::uint64_t> hashes;
    for (const std::vector<std::uint8_t>& labels : std::vector<std::vector<std::uint8_t>>{{0, 1}, {1, 0}, {1, 0, 1}}) {
        write_pair(scratch, "train", labels);
        hashes.insert(load(scratch.path(""), of_images()).content_hash());
    }
    CHECK(hashes.size() == 3);
}

TEST_CASE("as many labels as images, of the right kind") {
    const ScratchFiles scratch;
    write_pair(scratch, "train", {3, 0, 1});
    write_pair(scratch, "t10k", {1, 1});
    const std::string folder = scratch.path(""), images = scratch.path("train-images-idx3-ubyte"),
                      labels = scratch.path("train-labels-idx1-ubyte");
    scratch.write("train-labels-idx1-ubyte", idx_labels({3, 0}));
    CHECK(complaint(folder, folder) ==
          labels + ": 2 labels (" + images + " holds 3 images); check that both files are of one set");
    scratch.write("train-labels-idx1-ubyte", idx_file({3, 2, 3}));
    CHECK(complaint(folder, folder).starts_with(labels + ": a file of images, not of labels ("));
    write_pair(scratch, "train", {3, 0, 1});
    scratch.write("train-images-idx3-ubyte", idx_labels({3, 0, 1}));
    CHECK(complaint(folder, folder).starts_with(images + ": a file of labels, not of images ("));
    TextLimits limits;
    limits.max_array_bytes = 2;
    CHECK_THROWS_AS(read_images(image_files(folder, false), limits), Error);
}

TEST_CASE("a test set of other images, or with a class that no training image has, is refused") {
    const ScratchFiles scratch;
    write_pair(scratch, "train", {3, 0, 1});
    const std::string folder = scratch.path(""), test = scratch.path("t10k-images-idx3-ubyte");
    write_pair(scratch, "t10k", {1, 2}); // below the number of classes, and yet
    CHECK(complaint(folder, folder) == folder + ": image 2 has class 2 (no image of the training set has it); use a "
                                                "matching pair of sets");
    write_pair(scratch, "t10k", {4});
    CHECK(complaint(folder, test).starts_with(test + ": image 1 has class 4 ("));
    scratch.write("t10k-images-idx3-ubyte", idx_file({1, 3, 2}));
    CHECK(complaint(folder, test) ==
          test + ": its images are of 3 x 2 (the training set's are of 2 x 3); test on images of the same size");
    CHECK(complaint(folder, "synthetic:tiny,held-out")
              .starts_with("synthetic:tiny,held-out: its images are of 28 x 28 (the training set's are of 2 x 3)"));
}

TEST_CASE("the batches of CIFAR-10 are one set, in their order") {
    const ScratchFiles scratch;
    for (std::uint8_t i = 1; i <= 5; ++i)
        scratch.write("data_batch_" + std::to_string(i) + ".bin", cifar_record(i, i) + cifar_record(0, i));
    scratch.write("test_batch.bin.gz", gzip(cifar_record(5, 77)));
    const std::string folder = scratch.path("");
    const TrainTest pair = load_pair(folder, own_test(folder, ImagesView::kSamples), of_images());
    const auto &train = pair.train.view().as<ImagesView>(), &test = pair.test.view().as<ImagesView>();
    REQUIRE(train.rows == 10);
    CHECK(train.classes == 6);
    CHECK(train.shape == MapShape{32, 32, 3});
    for (std::uint8_t i = 0; i < 10; ++i) {
        CHECK(train.row(i).label == (i % 2 == 0 ? i / 2 + 1 : 0));
        CHECK(train.row(i).pixels[1] == i / 2 + 1);
    }
    REQUIRE(test.rows == 1);
    CHECK(test.classes == 6);
    CHECK(test.row(0).pixels[1] == 77);
    CHECK(size_text(test.shape) == "32 x 32 x 3");
    const Dataset one = load(scratch.path("data_batch_2.bin"), of_images());
    CHECK(one.view().rows() == 2);
    CHECK(one.view().as<ImagesView>().classes == 3);
}

TEST_CASE("images are shuffled, split and copied whole, and keep the network that is bound to them") {
    Dataset all = numbered();
    NetworkShape network;
    network.coordinates = 9;
    const ImagesView bound = all.view().as<ImagesView>().bound_to(network);
    const Dataset with_network("numbered", 1, bound, std::make_shared<DatasetStorage>());
    for (const Dataset& dataset : {shuffled(with_network), copied(with_network)}) {
        const auto& view = dataset.view().as<ImagesView>();
        CHECK(view.bound == &network);
        CHECK(view.coordinates() == 9);
        CHECK(view.classes == 5);
        std::set<std::string> images, expected;
        for (std::uint64_t i = 0; i < 1'000; ++i) {
            images.insert(image(view, i));
            expected.insert(image(bound, i));
        }
        CHECK(images == expected);
        CHECK(images.size() == 1'000);
    }
    CHECK(image(shuffled(all).view().as<ImagesView>(), 7) ==
          image(bound, Permutation(1'000, 0x73687566, 0)(7))); // as rows are
    const TrainTest parts = held_out(all, 0.25, 1);
    const auto &train = parts.train.view().as<ImagesView>(), &test = parts.test.view().as<ImagesView>();
    CHECK(train.rows + test.rows == 1'000);
    CHECK(std::abs(static_cast<double>(test.rows) - 250) < 5 * std::sqrt(1'000 * 0.25 * 0.75));
    std::uint64_t in_train = 0, in_test = 0;
    for (std::uint64_t i = 0; i < 1'000; ++i) {
        if (in_train < train.rows && image(bound, i) == image(train, in_train))
            ++in_train;
        else
            REQUIRE(image(bound, i) == image(test, in_test++));
    }
    CHECK(test.classes == 5);
}

TEST_CASE("MNIST is what its page says") {
    const auto images = test_data("images/train-images-idx3-ubyte.gz");
    if (!images) return;
    const std::string folder = std::filesystem::path(*images).parent_path();
    LoadReport report;
    const TrainTest pair = load_pair(folder, own_test(folder, ImagesView::kSamples), of_images(), &report);
    const auto &train = pair.train.view().as<ImagesView>(), &test = pair.test.view().as<ImagesView>();
    CHECK(train.rows == 60'000);
    CHECK(test.rows == 10'000);
    CHECK(train.shape == MapShape{28, 28, 1});
    CHECK(train.classes == 10);
    CHECK(std::vector<int>(train.labels, train.labels + 5) == std::vector<int>{5, 0, 4, 1, 9});
    CHECK(std::vector<int>(test.labels, test.labels + 5) == std::vector<int>{7, 2, 1, 0, 4});
    CHECK(report.text_bytes == 60'000 * 785 + 16 + 8);
    const ImageStatistics facts = describe(train);
    CHECK(facts.zero_share == doctest::Approx(0.8088).epsilon(1e-3));
    CHECK(facts.mean == doctest::Approx(0.1307).epsilon(1e-3)); // the usual numbers to normalise by
    CHECK(facts.deviation == doctest::Approx(0.3081).epsilon(1e-3));
    CHECK(facts.images[0] == 5'923);
    CHECK(facts.images[1] == 6'742);
    CHECK(load(*images, of_images()).content_hash() == pair.train.content_hash()); // named by its file
}
