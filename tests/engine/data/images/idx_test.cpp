#include "engine/data/images/idx.h"

#include "engine/error.h"
#include "tests/engine/data/compress.h"
#include "tests/engine/data/image_bytes.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

std::string complaint(const std::string& file, IdxKind kind, const TextLimits& limits = {}) {
    try {
        read_idx(file, "f", kind, limits);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kError);
        return error.what();
    }
    return "accepted";
}

std::string of_images(const std::string& file) { return complaint(file, IdxKind::kImages); }
std::string of_labels(const std::string& file) { return complaint(file, IdxKind::kLabels); }

std::string entries_of(const IdxArray& array) {
    return {reinterpret_cast<const char*>(array.entries.data()), array.entries.size()};
}

} // namespace

TEST_CASE("images and labels are what their header says, plain or compressed") {
    const std::string images = idx_file({3, 2, 4}), labels = idx_labels({5, 0, 255});
    std::vector<Format> all = formats();
    all.push_back({"plain", [](std::string_view text) { return std::string(text); }});
    for (const Format& format : all) {
        CAPTURE(format.name);
        const IdxArray read = read_idx(format.pack(images), "f", IdxKind::kImages);
        CHECK(read.sizes == std::vector<std::uint32_t>{3, 2, 4});
        CHECK(entries_of(read) == images.substr(16));
        CHECK(read.text_bytes == images.size());
        const IdxArray of = read_idx(format.pack(labels), "f", IdxKind::kLabels);
        CHECK(of.sizes == std::vector<std::uint32_t>{3});
        CHECK(entries_of(of) == std::string("\5\0\xFF", 3));
    }
}

TEST_CASE("a file that is no IDX file, or of another type, is told by its first bytes") {
    const std::string way = "); name a file like train-images-idx3-ubyte; CIFAR-10's end in .bin";
    CHECK(of_images("") == "f: no IDX file (it is empty" + way);
    CHECK(of_images("\x89PNG") == "f: no IDX file (it begins with the bytes 89 50 4e 47, not with 00 00 08 03" + way);
    CHECK(of_images(std::string(2, '\0')) ==
          "f: no IDX file (it begins with the bytes 00 00, not with 00 00 08 03" + way);
    CHECK(of_labels("1 2:3") == "f: no IDX file (it begins with the bytes 31 20 32 3a, not with 00 00 08 01); name a "
                                "file like train-labels-idx1-ubyte; CIFAR-10's end in .bin");
    CHECK(of_images(idx_file({1, 1, 1}, "abcd", 0, 0x0D)) ==
          "f: its entries are floats (type 0d; images are unsigned bytes, type 08); convert it to bytes");
    CHECK(of_labels(idx_file({1}, "a", 0, 0x07)) ==
          "f: its entries are of no known type (type 07; labels are unsigned bytes, type 08); convert it to bytes");
}

TEST_CASE("images in the place of labels, labels in that of images, and other arrays are refused") {
    CHECK(of_images(idx_labels({1, 2})) == "f: a file of labels, not of images (its arrays have 1 dimension, those of "
                                           "images 3); put a file like train-images-idx3-ubyte in its place");
    CHECK(of_labels(idx_file({1, 2, 3})) ==
          "f: a file of images, not of labels (its arrays have 3 dimensions, those of "
          "labels 1); put a file like train-labels-idx1-ubyte in its place");
    CHECK(of_images(idx_file({1, 2, 2, 3})) == "f: an array of 4 dimensions (images have 3); convert it");
    CHECK(of_labels(idx_file({2, 2})) == "f: an array of 2 dimensions (labels have 1); convert it");
    CHECK(of_labels(std::string("\0\0\x08\0", 4)) == "f: an array of 0 dimensions (labels have 1); convert it");
}

TEST_CASE("a file that is too short is refused wherever it ends, compressed or not") {
    const std::string images = idx_file({3, 2, 4});
    for (std::size_t size = 4; size < 16; ++size) {
        CAPTURE(size);
        const std::string cut = images.substr(0, size);
        const std::string expected =
            "f: it ends within its header (after " + std::to_string(size) + " bytes of 16); download or copy it again";
        CHECK(of_images(cut) == expected);
        CHECK(of_images(gzip(cut)) == expected);
    }
    for (std::size_t size = 16; size < images.size(); ++size) {
        const std::string cut = images.substr(0, size);
        const std::string expected = "f: it ends early (its header says 3 x 2 x 4, " + std::to_string(size - 16) +
                                     " of these 24 bytes are there); download or copy it again";
        CHECK(of_images(cut) == expected);
        CHECK(of_images(xz(cut)) == expected);
    }
    const std::string packed = gzip(images);
    CHECK(of_images(packed.substr(0, packed.size() - 9)) ==
          "f: cannot decompress gzip data (the file ends early); download or copy it again");
}

TEST_CASE("bytes behind the last entry are refused") {
    const std::string expected = "f: it goes on behind its last ";
    CHECK(of_images(idx_file({3, 2, 4}) + '\0') ==
          expected + "image (its header says 3 x 2 x 4); check that it is one whole file");
    CHECK(of_labels(idx_labels({1, 2}) + "\1") ==
          expected + "label (its header says 2); check that it is one whole file");
    CHECK(of_labels(gzip(idx_labels({1, 2})) + gzip("x")) ==
          expected + "label (its header says 2); check that it is one whole file");
}

TEST_CASE("sizes of zero, and sizes that nobody means, are refused before memory is taken") {
    for (const std::vector<std::uint32_t>& sizes :
         std::vector<std::vector<std::uint32_t>>{{0, 28, 28}, {5, 0, 28}, {5, 28, 0}}) {
        CHECK(of_images(idx_file(sizes)).starts_with("f: it holds no images (its header says "));
    }
    CHECK(of_labels(idx_file({0})) == "f: it holds no labels (its header says 0); check that it is the file you mean");
    const std::uint32_t most = ~std::uint32_t{0};
    CHECK(of_images(idx_file({0x01020304, 0x05060708, 0xF90A0B0C}, "x")) ==
          "f: its images are too large (its header says 16909060 x 84281096 x 4178184972; an image has at most "
          "16777216 entries); check that it is the file you mean, or make the images smaller");
    CHECK(of_images(idx_file({most, 1024, 1024}, "x")).starts_with("f: it ends early "));
    TextLimits limits;
    limits.max_array_bytes = 23;
    CHECK(complaint(idx_file({3, 2, 4}), IdxKind::kImages, limits) ==
          "f: it does not fit into memory (its header says 3 x 2 x 4, which exceed the limit of 23 bytes); use a part "
          "of the file, or a machine with more memory");
    limits.max_array_bytes = 24;
    CHECK(complaint(idx_file({3, 2, 4}), IdxKind::kImages, limits) == "accepted");
}

TEST_CASE("what decompresses to more than the limits is refused before it is stored") {
    const std::string images = idx_file({1000, 10, 10}, std::string(100'000, '\0'));
    TextLimits limits;
    limits.max_text_bytes = 50'000;
    for (const Format& format : formats()) {
        CAPTURE(format.name);
        CHECK(complaint(format.pack(images), IdxKind::kImages, limits) ==
              "f is too large (its text exceeds the limit of 50000 bytes); split the file or raise the limit");
    }
    limits = {};
    limits.max_ratio = 20; // judged from 256 MiB on
    const std::string bomb = zstd(idx_file({300, 1024, 1024}, std::string(300 << 20, '\0')));
    CHECK(complaint(bomb, IdxKind::kImages, limits) == "f expands suspiciously (to more than 20 times its size); "
                                                       "decompress it by hand if it is meant to");
}
