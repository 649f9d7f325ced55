#include "engine/machine/memory_budget.h"

#include "engine/error.h"
#include "tests/engine/machine/fake_mount.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

constexpr std::uint64_t kKiB = 1024;
const std::string kMeminfo = "MemTotal:        4000 kB\nMemFree:          100 kB\nMemAvailable:    3000 kB\n";

} // namespace

TEST_CASE("without a limit the machine's memory is the budget") {
    const FakeMount mount;
    mount.write("memory.max", "max");
    const MemoryBudget budget = memory_budget(kMeminfo, "0::/\n", mount.root());
    CHECK(budget.total == 4000 * kKiB);
    CHECK(budget.available == 3000 * kKiB);
}

TEST_CASE("without /proc the memory is unknown, not none, and a group's limit still binds") {
    const FakeMount mount;
    for (const char* meminfo : {"", "MemTotal:\n", "MemTotal: many kB\n", "MemTotal: 99999999999999999999 kB\n"}) {
        const MemoryBudget budget = memory_budget(meminfo, "", mount.root());
        CHECK(budget.total == kUnknownMemory);
        CHECK(budget.available == kUnknownMemory);
    }
    CHECK(memory_budget("MemTotal: 4000 kB\n", "", mount.root()).available == 4000 * kKiB); // an old kernel's
    mount.write("memory.max", std::to_string(2000 * kKiB));
    mount.write("memory.stat", "anon " + std::to_string(500 * kKiB));
    const MemoryBudget limited = memory_budget("", "0::/\n", mount.root());
    CHECK(limited.total == 2000 * kKiB);
    CHECK(limited.available == 1500 * kKiB);
}

TEST_CASE("cgroup v2: the tightest of the group and its ancestors binds, and what its processes hold is gone") {
    const FakeMount mount;
    mount.write("a/memory.max", std::to_string(2000 * kKiB));
    mount.write("a/memory.stat", "anon " + std::to_string(1500 * kKiB) + "\nfile 12345");
    mount.write("a/b/memory.max", std::to_string(1000 * kKiB));
    mount.write("a/b/memory.stat", "anon " + std::to_string(300 * kKiB) + "\nfile 99999999");
    const MemoryBudget budget = memory_budget(kMeminfo, "0::/a/b\n", mount.root());
    CHECK(budget.total == 1000 * kKiB);
    CHECK(budget.available == 500 * kKiB); // of the ancestor: what b's processes hold is part of its 1500
}

TEST_CASE("cgroup v1: the memory controller's own files are read") {
    const FakeMount mount;
    mount.write("memory/x/memory.limit_in_bytes", std::to_string(500 * kKiB));
    mount.write("memory/x/memory.stat", "rss 1\ntotal_rss " + std::to_string(600 * kKiB));
    mount.write("memory/memory.limit_in_bytes", "9223372036854771712");
    const MemoryBudget budget = memory_budget(kMeminfo, "5:memory:/x\n3:cpu:/y\n", mount.root());
    CHECK(budget.total == 500 * kKiB);
    CHECK(budget.available == 0); // more is held than the limit now allows
}

TEST_CASE("what fits is let through, what does not names both sizes") {
    CHECK_NOTHROW(require_memory(1, "a byte", "breathe"));
    try {
        require_memory(std::uint64_t{1} << 60, "a buffer", "use less");
        FAIL("2^60 bytes fitted");
    } catch (const Error& error) {
        const std::string text = error.what();
        CHECK(text.find("a buffer does not fit (it takes 1073741824.0 GiB, ") == 0);
        CHECK(text.find("; use less") != std::string::npos);
    }
}
