#include "engine/optimum/optimum_cache.h"

#include "engine/error.h"
#include "tests/random_samples.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <unistd.h>

using namespace hogwild;

namespace {

Optimum example() {
    Optimum optimum;
    optimum.initial = 0.69314718055994531;
    optimum.value = 0.1 + 0.2;
    optimum.lower = 0.29999999999;
    optimum.gap = optimum.value - optimum.lower;
    optimum.converged = true;
    optimum.passes = 123456789;
    optimum.seconds = 1.25;
    return optimum;
}

void check_same(const Optimum& a, const Optimum& b) {
    CHECK(a.initial == b.initial);
    CHECK(a.value == b.value);
    CHECK(a.lower == b.lower);
    CHECK(a.gap == b.gap);
    CHECK(a.converged == b.converged);
    CHECK(a.passes == b.passes);
    CHECK(a.seconds == b.seconds);
}

const OptimumKey kKey{0x0123456789abcdef, "hinge", 1e-4};

} // namespace

TEST_CASE("an optimum reads back with the same bits") {
    const std::optional<Optimum> read = from_text(kKey, to_text(kKey, example()));
    REQUIRE(read.has_value());
    check_same(*read, example());
}

TEST_CASE("a text with any byte changed or missing is not trusted") {
    const std::string text = to_text(kKey, example());
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string damaged = text;
        damaged[i] ^= 1;
        CHECK_FALSE(from_text(kKey, damaged).has_value());
        CHECK_FALSE(from_text(kKey, text.substr(0, i)).has_value());
    }
}

TEST_CASE("an optimum of another key, or one that contradicts itself, is not trusted") {
    const std::string text = to_text(kKey, example());
    CHECK_FALSE(from_text({kKey.data + 1, kKey.problem, kKey.l2}, text).has_value());
    CHECK_FALSE(from_text({kKey.data, "logistic", kKey.l2}, text).has_value());
    CHECK_FALSE(from_text({kKey.data, kKey.problem, 2e-4}, text).has_value());
    Optimum crossed = example();
    crossed.lower = 0.5;
    CHECK_FALSE(from_text(kKey, to_text(kKey, crossed)).has_value());
    crossed = example();
    crossed.gap = -crossed.gap;
    CHECK_FALSE(from_text(kKey, to_text(kKey, crossed)).has_value());
    Optimum uncertified = example();
    uncertified.lower = uncertified.gap = kNone;
    CHECK_FALSE(from_text(kKey, to_text(kKey, uncertified)).has_value());
}

TEST_CASE("a right checksum makes nothing true: numbers that are no optimum's are not trusted") {
    const auto trusted = [](void (*spoil)(Optimum&)) {
        Optimum optimum = example();
        spoil(optimum);
        return from_text(kKey, to_text(kKey, optimum)).has_value();
    };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    CHECK(trusted([](Optimum&) {}));
    CHECK_FALSE(trusted([](Optimum& o) { o.gap = 0; })); // a certificate that its bounds do not give
    CHECK_FALSE(trusted([](Optimum& o) { o.gap = kInfinity; }));
    CHECK_FALSE(trusted([](Optimum& o) { o.lower = -kInfinity; }));
    CHECK_FALSE(trusted([](Optimum& o) { o.value = kNone; }));
    CHECK_FALSE(trusted([](Optimum& o) { o.initial = kInfinity; }));
    CHECK_FALSE(trusted([](Optimum& o) { o.seconds = -1; }));
}

TEST_CASE("an optimum of another user is not trusted") {
    const Scratch folder;
    store_optimum(folder.path, kKey, example());
    CHECK(load_optimum(folder.path, kKey).has_value());
    for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
        if (chown(entry.path().c_str(), 12345, static_cast<gid_t>(-1)) != 0) return; // only root may
    }
    CHECK_FALSE(load_optimum(folder.path, kKey).has_value());
}

TEST_CASE("the hash tells samples apart by every array") {
    const TestSamples samples = random_samples(50, 20, 5, 31);
    const std::uint64_t hash = hash_of(samples.view());
    CHECK(hash == hash_of(TestSamples(samples).view()));
    TestSamples changed = samples;
    changed.labels[7] = -changed.labels[7];
    CHECK(hash_of(changed.view()) != hash);
    changed = samples;
    changed.values[3] += 1;
    CHECK(hash_of(changed.view()) != hash);
    changed = samples;
    changed.indices.back() += 1;
    CHECK(hash_of(changed.view()) != hash);
    changed = samples;
    changed.offsets[1] += 1;
    CHECK(hash_of(changed.view()) != hash);
}

TEST_CASE("an optimum is solved once, and again only for a tighter gap or after damage") {
    const Scratch folder;
    const TestSamples samples = random_samples(100, 20, 5, 32);
    const SparseView data = samples.view();
    const auto inside = folder.path / "made" / "on demand";
    const Optimum solved = solve_cached(inside, "logistic", data, 0.01, {.relative_gap = 1e-6});
    const OptimumKey key{hash_of(data), "logistic", 0.01};
    const std::optional<Optimum> kept = load_optimum(inside, key);
    REQUIRE(kept.has_value());
    check_same(*kept, solved);

    Optimum marked = *kept;
    marked.passes = 777'777; // no solver needs as many: it can only come from the file
    store_optimum(inside, key, marked);
    CHECK(solve_cached(inside, "logistic", data, 0.01, {.relative_gap = 1e-6}).passes == 777'777);
    CHECK(solve_cached(inside, "logistic", data, 0.02, {.relative_gap = 1e-6}).passes != 777'777);
    CHECK(solve_cached(inside, "logistic", data, 0.01, {.relative_gap = 1e-12}).passes != 777'777);

    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(inside)) {
        std::ofstream(entry.path()) << "hogwild optimum 1\n";
        ++files;
    }
    CHECK(files == 2); // and no temporary one
    CHECK_FALSE(load_optimum(inside, key).has_value());
    CHECK(solve_cached(inside, "logistic", data, 0.01).converged);
    CHECK(load_optimum(inside, key).has_value());
}

TEST_CASE("a folder that cannot be made is a disk error") {
    const Scratch folder;
    std::ofstream(folder.path / "file") << "in the way";
    try {
        store_optimum(folder.path / "file" / "below", kKey, example());
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kDisk);
    }
}
