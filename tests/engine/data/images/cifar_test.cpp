#include "engine/data/images/cifar.h"

#include "engine/error.h"
#include "tests/engine/data/compress.h"
#include "tests/engine/data/image_bytes.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

std::string cifar_complaint(const std::string& file, const TextLimits& limits = {}) {
    try {
        read_cifar(file, "f.bin", limits);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kError);
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("planes of colours become channels of places, plain or compressed") {
    std::string file;
    for (int i = 0; i < 300; ++i) file += cifar_record(static_cast<std::uint8_t>(i % 10), static_cast<std::uint8_t>(i));
    for (const std::string& stored : {file, gzip(file), zstd(file)}) {
        const CifarImages images = read_cifar(stored, "f.bin");
        REQUIRE(images.labels.size() == 300);
        REQUIRE(images.pixels.size() == 300 * 3072);
        CHECK(images.text_bytes == file.size());
        for (std::size_t i = 0; i < 300; ++i) {
            REQUIRE(images.labels[i] == i % 10);
            for (std::size_t place = 0; place < 1024; ++place) {
                const std::uint8_t* const pixel = &images.pixels[i * 3072 + place * 3];
                REQUIRE(pixel[0] == place % 256);
                REQUIRE(pixel[1] == i % 256);
                REQUIRE(pixel[2] == 0);
            }
        }
    }
}

TEST_CASE("files that are not of CIFAR-10's format are refused") {
    const std::string record = cifar_record(3, 4);
    const std::string way = "); download or copy it again; a file of IDX's format has a name that does not end in .bin";
    CHECK(cifar_complaint("") == "f.bin: it holds no images (it is empty); check that it is the file you mean");
    CHECK(cifar_complaint(gzip("")) == "f.bin: it holds no images (it is empty); check that it is the file you mean");
    CHECK(cifar_complaint(record + record.substr(0, 3000)) ==
          "f.bin: not in CIFAR-10's format (its 6073 bytes are no multiple of 3073, a class and an image" + way);
    CHECK(cifar_complaint(xz(record + "x")) ==
          "f.bin: not in CIFAR-10's format (its 3074 bytes are no multiple of 3073, a "
          "class and an image; CIFAR-100 has two labels an image" +
              way);
    CHECK(cifar_complaint(record + cifar_record(10, 0)) ==
          "f.bin: image 2 has class 10 (CIFAR-10 has the classes 0 to 9); "
          "check that it is CIFAR-10's binary version");
    TextLimits limits;
    limits.max_array_bytes = 6000;
    CHECK(cifar_complaint(record + record, limits) ==
          "f.bin: it does not fit into memory (its images exceed the limit of "
          "6000 bytes); use a part of the file, or a machine with more memory");
}
