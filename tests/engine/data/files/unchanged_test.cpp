#include "engine/data/files/unchanged.h"

#include "engine/data/files/mapped_ranges.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

using namespace hogwild;

namespace {

const std::string kText = "1 1:1\n-1 2:1\n";

struct Opened {
    Scratch scratch;
    std::string path = scratch.path / "data.svm";
    std::optional<MappedFile> file;
    std::uint64_t hash = 0;

    Opened() {
        std::ofstream(path) << kText;
        hash = content_hash(file.emplace(path).text());
    }
    bool check() const { return check_unchanged(path, *file, hash); }
};

void write_in_place(const std::string& path, const std::string& text) {
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << text;
}

} // namespace

TEST_CASE("what was hashed is what was parsed: bytes that another program wrote in between are refused") {
    const Opened same;
    CHECK(same.check());
    const Opened rewritten;
    write_in_place(rewritten.path, "1 1:9\n"); // as long as before, perhaps within one tick of the file's clock
    CHECK_THROWS_WITH_AS(rewritten.check(),
                         doctest::Contains("data.svm changed while it was read (its bytes are not those"), Error);
    const Opened shorter;
    std::filesystem::resize_file(shorter.path, 6);
    CHECK_THROWS_WITH_AS(shorter.check(), doctest::Contains("(it had 13 bytes and has 6)"), Error);
    const Opened emptied;
    std::ofstream(emptied.path, std::ios::trunc);
    CHECK_THROWS_AS(emptied.check(), Error);
}

TEST_CASE("what was read is not kept under the hash where the path is another file's, or the file was touched") {
    const Opened replaced;
    std::ofstream(replaced.scratch.path / "new") << "1 1:9\n";
    std::filesystem::rename(replaced.scratch.path / "new", replaced.path);
    CHECK_FALSE(replaced.check()); // the old bytes are still those that were read
    const Opened removed;
    std::filesystem::remove(removed.path);
    CHECK_FALSE(removed.check());
    const Opened touched;
    std::filesystem::last_write_time(touched.path,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    CHECK_FALSE(touched.check());
}

TEST_CASE("whose bytes lie at an address is known for as long as they are mapped") {
    const Opened opened;
    const char* const at = opened.file->text().data();
    REQUIRE(path_mapped_at(at) != nullptr);
    CHECK(path_mapped_at(at) == opened.path);
    CHECK(path_mapped_at(at + kText.size() - 1) == opened.path);
    CHECK(path_mapped_at(at - 1) == nullptr);
    CHECK(path_mapped_at(&opened) == nullptr);
    const void* gone = nullptr;
    {
        const MappedFile again(opened.path);
        gone = again.data();
        CHECK(path_mapped_at(gone) == opened.path);
    }
    CHECK(path_mapped_at(gone) == nullptr);
}
