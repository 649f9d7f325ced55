#include "engine/machine/cores.h"

#include "tests/engine/machine/fake_mount.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>

#include <sched.h>

using namespace hogwild;

TEST_CASE("a quota is rounded up to whole cores") {
    CHECK(parse_cpu_max("150000 100000") == 2);
    CHECK(parse_cpu_max("100000 100000\n") == 1);
    CHECK(parse_cpu_max("1000 100000") == 1);
    CHECK(parse_cpu_max("1600000 100000") == 16);
    CHECK(parse_cfs_quota("250001", "50000") == 6);
}

TEST_CASE("no quota, or text that is not one, is 0") {
    for (const char* text : {"max 100000", "", "max", "100000", "-1 100000", "5 0", "x y"})
        CHECK(parse_cpu_max(text) == 0);
    CHECK(parse_cfs_quota("-1", "100000") == 0);
    CHECK(parse_cfs_quota("", "") == 0);
}

TEST_CASE("cgroup v2: the tightest of the group and its ancestors binds") {
    const FakeMount mount;
    mount.write("a/cpu.max", "300000 100000");
    mount.write("a/b/cpu.max", "max 100000");
    mount.write("a/b/c/cpu.max", "700000 100000");
    CHECK(cgroup_quota("0::/a/b/c\n", mount.root()) == 3);
    CHECK(cgroup_quota("0::/a/b\n", mount.root()) == 3);
    CHECK(cgroup_quota("0::/\n", mount.root()) == 0);
}

TEST_CASE("cgroup v2: a container that sees its host's path but mounts its own group finds the quota at the root") {
    const FakeMount mount;
    mount.write("cpu.max", "150000 100000");
    CHECK(cgroup_quota("0::/docker/0123abcd\n", mount.root()) == 2);
}

TEST_CASE("cgroup v1: the cpu controller is found under its joint or its own name") {
    const std::string membership = "9:name=systemd:/\n4:cpuset:/x\n3:cpu,cpuacct:/x\n0::/\n";
    for (const std::string folder : {"cpu,cpuacct", "cpu"}) {
        const FakeMount mount;
        mount.write(folder + "/x/cpu.cfs_quota_us", "350000");
        mount.write(folder + "/x/cpu.cfs_period_us", "100000");
        mount.write(folder + "/cpu.cfs_quota_us", "-1");
        mount.write(folder + "/cpu.cfs_period_us", "100000");
        CHECK(cgroup_quota(membership, mount.root()) == 4);
    }
}

TEST_CASE("the budget is the smaller of affinity and quota, whoever asks") {
    const CoreBudget budget = core_budget();
    CHECK(budget.affinity == affinity_processors().size());
    CHECK(budget.usable == (budget.quota == 0 ? budget.affinity : std::min(budget.affinity, budget.quota)));
    CHECK(budget.usable >= 1);
    std::thread([&] { // pinned, as a worker is
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(affinity_processors().front(), &one);
        sched_setaffinity(0, sizeof one, &one);
        CHECK(core_budget().affinity == budget.affinity);
    })
        .join();
}
