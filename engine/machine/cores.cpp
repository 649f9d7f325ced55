#include "engine/machine/cores.h"

#include "engine/machine/limits/cgroups.h"
#include "engine/machine/small_file.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <sched.h>
#include <unistd.h>

namespace hogwild {
namespace {

std::optional<long long> first_integer(std::string_view text) {
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    return value;
}

unsigned cores_of(std::optional<long long> quota, std::optional<long long> period) {
    if (!quota || !period || *quota <= 0 || *period <= 0) return 0;
    return static_cast<unsigned>((*quota + *period - 1) / *period);
}

unsigned tighter(unsigned a, unsigned b) {
    if (a == 0 || b == 0) return std::max(a, b); // 0 means no quota
    return std::min(a, b);
}

unsigned read_v2(const std::filesystem::path& folder) { return parse_cpu_max(read_small_file(folder / "cpu.max")); }

unsigned read_v1(const std::filesystem::path& folder) {
    return parse_cfs_quota(read_small_file(folder / "cpu.cfs_quota_us"), read_small_file(folder / "cpu.cfs_period_us"));
}

} // namespace

unsigned parse_cpu_max(std::string_view text) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return 0;
    return cores_of(first_integer(text.substr(0, space)), first_integer(text.substr(space + 1)));
}

unsigned parse_cfs_quota(std::string_view quota, std::string_view period) {
    return cores_of(first_integer(quota), first_integer(period));
}

unsigned cgroup_quota(const std::string& membership, const std::filesystem::path& mount) {
    unsigned tightest = 0;
    visit_cgroups(membership, mount, "cpu", [&](const std::filesystem::path& folder, CgroupVersion version) {
        tightest = tighter(tightest, version == CgroupVersion::kV2 ? read_v2(folder) : read_v1(folder));
    });
    return tightest;
}

std::vector<unsigned> affinity_processors() {
    std::vector<unsigned> processors;
    for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) { // the kernel refuses a set smaller than its own
        cpu_set_t* set = CPU_ALLOC(capacity);
        const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
        const bool read = sched_getaffinity(getpid(), bytes, set) == 0;
        for (int i = 0; read && i < capacity; ++i) {
            if (CPU_ISSET_S(i, bytes, set)) processors.push_back(static_cast<unsigned>(i));
        }
        CPU_FREE(set);
        if (read) break;
    }
    return processors;
}

CoreBudget core_budget() {
    CoreBudget budget;
    budget.affinity = std::max<unsigned>(1, static_cast<unsigned>(affinity_processors().size()));
    budget.quota = cgroup_quota(read_small_file("/proc/self/cgroup"), "/sys/fs/cgroup");
    budget.usable = budget.quota == 0 ? budget.affinity : std::min(budget.affinity, budget.quota);
    return budget;
}

unsigned usable_cores() { return core_budget().usable; }

} // namespace hogwild
