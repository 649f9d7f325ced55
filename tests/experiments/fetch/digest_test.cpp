#include "experiments/fetch/digest.h"

#include "engine/error.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace hogwild {
namespace {

std::string sum(std::string_view text) {
    Digest sha = Digest::sha256();
    sha.add(text);
    return sha.hex();
}

const std::atomic<bool> kNever{false};

std::optional<std::string> sum_of(const std::filesystem::path& file, const std::atomic<bool>& interrupt = kNever) {
    return digest_of(file, Digest::sha256(), interrupt);
}

TEST_CASE("SHA-256 is that of FIPS 180-4") {
    CHECK(sum("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sum("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sum(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("MD5 is that of RFC 1321") {
    Digest digest = Digest::md5();
    digest.add("abc");
    CHECK(digest.hex() == "900150983cd24fb0d6963f7d28e17f72");
}

TEST_CASE("an interrupt ends a sum of whatever size") {
    const Scratch scratch;
    std::ofstream(scratch.path / "file") << "text";
    std::filesystem::resize_file(scratch.path / "file", std::uintmax_t{1} << 40); // takes no room, and an hour to read
    const std::atomic<bool> interrupt{true};
    CHECK_FALSE(sum_of(scratch.path / "file", interrupt));
}

TEST_CASE("a sum does not depend on how its bytes were cut, nor on whether they lie in a file") {
    const Scratch scratch;
    const std::string text(3'000'000, 'a');
    Digest cut = Digest::sha256();
    for (std::size_t at = 0; at < text.size(); at += 777'777) cut.add(std::string_view(text).substr(at, 777'777));
    CHECK(cut.hex() == sum(text));
    std::ofstream(scratch.path / "file") << text;
    CHECK(sum_of(scratch.path / "file") == sum(text));
}

TEST_CASE("a file that cannot be read has no sum") {
    const Scratch scratch;
    CHECK_THROWS_AS(sum_of(scratch.path / "absent"), Error);
    CHECK_THROWS_AS(sum_of(scratch.path), Error);
}

} // namespace
} // namespace hogwild
