#include "engine/data/cache/cache.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/error.h"
#include "tests/engine/data/samples.h"
#include "tests/engine/data/scratch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kHash = 0x0123456789ABCDEF;

Dataset some_data() {
    return generate(parse_synthetic("synthetic:rows=500,features=300,nonzeros=12,spread=0.5", 3), "some");
}

TEST_CASE("a cache is the user's alone: its folder 0700, its files 0600") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path("cache"));
    const std::string source = scratch.write("source", "+1 1:1\n");
    cache.write(kHash, some_data().sparse());
    cache.remember(source, FileStamp{}, kHash);
    CHECK(std::filesystem::status(scratch.path("cache")).permissions() == std::filesystem::perms::owner_all);
    for (const std::string& path : {cache.arrays_path(kHash), cache.memo_path(source)}) {
        CHECK(std::filesystem::status(path).permissions() ==
              (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
    }
}

TEST_CASE("what was cached is read back to the same bits, copied or mapped, and aligned") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path("cache/deep"));
    const Dataset data = some_data();
    CHECK(cache.read(kHash, true).storage == nullptr);
    cache.write(kHash, data.sparse());
    for (const bool huge_pages : {true, false}) {
        const CacheEntry entry = cache.read(kHash, huge_pages);
        REQUIRE(entry.storage != nullptr);
        CHECK(entry.refusal == "");
        CHECK(difference(data.sparse(), entry.view) == "");
        CHECK(entry.view.columns == 300);
        for (const void* array :
             {static_cast<const void*>(entry.view.offsets), static_cast<const void*>(entry.view.indices),
              static_cast<const void*>(entry.view.values), static_cast<const void*>(entry.view.labels)}) {
            CHECK(reinterpret_cast<std::uintptr_t>(array) % 64 == 0);
        }
    }
    CHECK(cache.read(kHash + 1, true).storage == nullptr);
}

TEST_CASE("a mapped entry outlives the removal of its file") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path("cache"));
    const Dataset data = some_data();
    cache.write(kHash, data.sparse());
    const CacheEntry entry = cache.read(kHash, false);
    std::filesystem::remove(cache.arrays_path(kHash));
    CHECK(difference(data.sparse(), entry.view) == "");
}

TEST_CASE("a damaged, truncated or foreign cache is refused with its reason") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path("cache"));
    cache.write(kHash, some_data().sparse());
    const std::string path = cache.arrays_path(kHash);
    const std::string good = text_of(path);
    auto refusal = [&](const std::string& content, bool huge_pages) {
        scratch.write("cache/0123456789abcdef.arrays", content);
        const CacheEntry entry = cache.read(kHash, huge_pages);
        CHECK(entry.storage == nullptr);
        const std::string before = "the cache " + path + " is ignored: ";
        CHECK(entry.refusal.starts_with(before));
        return entry.refusal.substr(std::min(before.size(), entry.refusal.size()));
    };
    auto with = [&](std::size_t position, char value) {
        std::string changed = good;
        changed[position] = value;
        return changed;
    };
    for (const bool huge_pages : {true, false}) {
        CHECK(refusal("", huge_pages) == "it is shorter than its header");
        CHECK(refusal(good.substr(0, 63), huge_pages) == "it is shorter than its header");
        CHECK(refusal(good.substr(0, good.size() - 1), huge_pages) == "it is truncated");
        CHECK(refusal(good.substr(0, good.size() / 2), huge_pages) == "it is truncated");
        CHECK(refusal(good + "x", huge_pages) == "it is truncated");
        CHECK(refusal("#!/bin/sh" + good, huge_pages) == "it is no cache of this program");
        CHECK(refusal(with(8, '\1'), huge_pages) == "it was written by a machine of another byte order");
        CHECK(refusal(with(12, '\x63'), huge_pages) == "it has another version");
        CHECK(refusal(with(25, '\x7F'), huge_pages) == "its header is damaged");
        CHECK(refusal(with(good.size() - 3, '\x55'), huge_pages) == "its checksums are damaged");
    }
    for (const std::size_t position : {std::size_t{64}, good.size() / 3, good.size() / 2, good.size() * 9 / 10}) {
        CHECK(refusal(with(position, static_cast<char>(good[position] ^ 1)), true) == "its arrays are damaged");
    }
    std::filesystem::rename(path, cache.arrays_path(kHash + 1));
    CHECK(cache.read(kHash + 1, true).storage == nullptr);

    cache.write(kHash, some_data().sparse()); // over the damaged one
    CHECK(cache.read(kHash, true).storage != nullptr);
}

TEST_CASE("a right checksum makes nothing true: arrays that break their promises are refused, copied or mapped") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path("cache"));
    struct Arrays {
        std::vector<std::uint64_t> offsets{0, 2, 3};
        std::vector<std::uint32_t> indices{0, 2, 1};
        std::vector<float> values{1, 2, 3}, labels{1, -1};
        std::uint32_t columns = 3;
    };
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    struct {
        void (*spoil)(Arrays&);
        const char* why;
    } const cases[] = {
        {[](Arrays&) {}, ""},
        {[](Arrays& a) { a.indices[2] = 3; }, "the indices of row 2 do not rise within its 3 columns"},
        {[](Arrays& a) { a.indices[1] = 0xFFFFFFFF; }, "the indices of row 1 do not rise within its 3 columns"},
        {[](Arrays& a) { a.indices[1] = 0; }, "the indices of row 1 do not rise within its 3 columns"},
        {[](Arrays& a) { a.columns = 0; }, "row 1 has offsets that fall, or more entries than columns"},
        {[](Arrays& a) { a.offsets[0] = 1; }, "its offsets go from 1 to 3, its arrays from 0 to 3"},
        {[](Arrays& a) { a.offsets[1] = 1ULL << 40; }, "row 1 has offsets that fall, or more entries than columns"},
        {[](Arrays& a) { a.offsets[1] = ~0ULL; }, "row 1 has offsets that fall, or more entries than columns"},
        {[](Arrays& a) { a.values[2] = kNan; }, "row 2 has a number that is not finite"},
        {[](Arrays& a) { a.labels[0] = kNan; }, "row 1 has a number that is not finite"},
    };
    for (const auto& [spoil, why] : cases) {
        Arrays arrays;
        spoil(arrays);
        cache.write(kHash, {arrays.offsets.data(), arrays.indices.data(), arrays.values.data(), arrays.labels.data(), 2,
                            arrays.columns});
        for (const bool huge_pages : {true, false}) {
            const CacheEntry entry = cache.read(kHash, huge_pages);
            const std::string whole = "the cache " + cache.arrays_path(kHash) + " is ignored: " + why;
            CHECK(entry.refusal == (*why == '\0' ? "" : whole));
            CHECK((entry.storage == nullptr) == (*why != '\0'));
            if (entry.storage == nullptr) CHECK(entry.view.offsets == nullptr);
        }
    }
}

TEST_CASE("entries and memos of another user are not taken") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path("cache"));
    const std::string file = scratch.write("data.svm", "1 1:1\n");
    const FileStamp stamp = MappedFile(file).stamp();
    cache.write(kHash, some_data().sparse());
    cache.remember(file, stamp, kHash);
    CHECK(cache.read(kHash, true).storage != nullptr);
    CHECK(cache.recall(file, stamp) == kHash);
    constexpr uid_t kOther = 12345;
    if (chown(cache.arrays_path(kHash).c_str(), kOther, static_cast<gid_t>(-1)) != 0) return; // only root may
    REQUIRE(chown(cache.memo_path(file).c_str(), kOther, static_cast<gid_t>(-1)) == 0);
    const CacheEntry entry = cache.read(kHash, true);
    CHECK(entry.storage == nullptr);
    CHECK(entry.refusal == "the cache " + cache.arrays_path(kHash) + " is ignored: it is another user's");
    CHECK_FALSE(cache.recall(file, stamp));
}

TEST_CASE("a file's content hash is remembered for as long as its stamp lasts") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path("cache"));
    const std::string file = scratch.write("data.svm", "1 1:1\n");
    const FileStamp stamp = MappedFile(file).stamp();
    CHECK_FALSE(cache.recall(file, stamp));
    cache.remember(file, stamp, kHash);
    CHECK(cache.recall(file, stamp) == kHash);
    CHECK(cache.recall(scratch.path("./data.svm"), stamp) == kHash); // another spelling
    for (auto change :
         {+[](FileStamp& s) { ++s.size; }, +[](FileStamp& s) { ++s.modified_ns; },
          +[](FileStamp& s) { ++s.changed_ns; }, +[](FileStamp& s) { ++s.inode; }, +[](FileStamp& s) { ++s.device; }}) {
        FileStamp other = stamp;
        change(other);
        CHECK_FALSE(cache.recall(file, other));
    }
    std::string memo = text_of(cache.memo_path(file));
    memo[50] = static_cast<char>(memo[50] ^ 1);
    scratch.write(cache.memo_path(file).substr(scratch.path("").size()), memo);
    CHECK_FALSE(cache.recall(file, stamp));
}

TEST_CASE("a full disk leaves neither half a cache nor a temporary file") {
    const ScratchFiles scratch;
    const Cache cache(scratch.path(""));
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{10000, before.rlim_max}; // stands in for the full disk: a write fails midway
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    Failure failure = Failure::kError;
    try {
        cache.write(kHash, some_data().sparse());
    } catch (const Error& error) {
        failure = error.failure();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(failure == Failure::kDisk);
    CHECK(scratch.files() == 0);
}

} // namespace
} // namespace hogwild
