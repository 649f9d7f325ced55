#include "engine/machine/topology.h"

#include "engine/error.h"
#include "engine/machine/hwloc_tree.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hogwild;

TEST_CASE("a described machine is read as described") {
    const Topology topology = read_topology(
        HwlocTree("pack:2 [numa(memory=1GB)] l3:1(size=33554432) core:4 l2:1(size=2097152) l1:1(size=49152) pu:2"));
    CHECK(topology.sockets == 2);
    CHECK(topology.numa_nodes == 2);
    CHECK(topology.cores == 8);
    CHECK(topology.processors == 16);
    REQUIRE(topology.caches.size() == 3);
    const auto check = [](const CacheLevel& cache, unsigned level, std::uint64_t bytes, unsigned instances,
                          unsigned shared_by) {
        CHECK(cache.level == level);
        CHECK(cache.bytes == bytes);
        CHECK(cache.instances == instances);
        CHECK(cache.shared_by == shared_by);
    };
    check(topology.caches[0], 1, 49152, 8, 2);
    check(topology.caches[1], 2, 2097152, 8, 2);
    check(topology.caches[2], 3, 33554432, 2, 8);
}

TEST_CASE("a description that is none is refused") { CHECK_THROWS_AS(HwlocTree("core:many"), Error); }

TEST_CASE("this machine has a processor for every one in the affinity, and memory") {
    const Topology topology = read_topology(HwlocTree::of_this_machine());
    const MachineState state = read_machine_state();
    CHECK(topology.processors >= state.cores.affinity);
    CHECK(topology.processors >= topology.cores);
    CHECK(state.memory_bytes >= state.available_bytes);
    CHECK(state.available_bytes > 0);
    CHECK(!state.kernel.empty());
    CHECK(state.boot == read_machine_state().boot);
    CHECK(state.boot.find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("instruction sets are those the processor reports") {
    const MachineState state = read_machine_state();
    const auto& sets = state.instruction_sets;
#if defined(__x86_64__)
    CHECK(std::count(sets.begin(), sets.end(), "sse2") == 1); // part of the base architecture
    CHECK(std::count(sets.begin(), sets.end(), "avx2") == (__builtin_cpu_supports("avx2") ? 1 : 0));
#endif
    CHECK(!sets.empty());
}

TEST_CASE("the kernel's small files are read by key and by bracket") {
    const std::string cpuinfo =
        "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nflags\t\t: fpu hypervisor\nbugs\t\t:\n";
    CHECK(field_of(cpuinfo, "model name") == "Some CPU @ 2 GHz");
    CHECK(field_of(cpuinfo, "flags") == "fpu hypervisor");
    CHECK(field_of(cpuinfo, "bugs").empty());
    CHECK(field_of(cpuinfo, "model").empty());
    CHECK(field_of("MemTotal:       24 kB\n", "MemTotal") == "24 kB");
    CHECK(field_of(": nameless\n", "x").empty());
    CHECK(chosen_word("always [madvise] never") == "madvise");
    CHECK(chosen_word("performance") == "performance");
    CHECK(chosen_word("").empty());
}
