#include "engine/machine/cores.h"

#include "engine/machine/small_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

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

// A container may see its host's path in /proc/self/cgroup but mount only its own part: walking up to the mount's root
// reads whatever exists, and a parent's quota binds its children.
template <class ReadQuota>
unsigned tightest_upwards(const std::filesystem::path& hierarchy, const std::string& group,
                          const ReadQuota& read_quota) {
    std::filesystem::path relative = std::filesystem::path(group).relative_path();
    unsigned tightest = read_quota(hierarchy);
    for (; !relative.empty(); relative = relative.parent_path()) {
        tightest = tighter(tightest, read_quota(hierarchy / relative));
    }
    return tightest;
}

unsigned read_v2(const std::filesystem::path& folder) { return parse_cpu_max(read_small_file(folder / "cpu.max")); }

unsigned read_v1(const std::filesystem::path& folder) {
    return parse_cfs_quota(read_small_file(folder / "cpu.cfs_quota_us"), read_small_file(folder / "cpu.cfs_period_us"));
}

bool names_cpu(std::string_view controllers) {
    while (!controllers.empty()) {
        const std::size_t comma = std::min(controllers.find(','), controllers.size());
        if (controllers.substr(0, comma) == "cpu") return true;
        controllers.remove_prefix(std::min(comma + 1, controllers.size()));
    }
    return false;
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
    std::istringstream lines(membership);
    for (std::string line; std::getline(lines, line);) { // "hierarchy:controllers:path"
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty()) {
            tightest = tighter(tightest, tightest_upwards(mount, group, read_v2));
        } else if (names_cpu(controllers)) {
            const bool joined = std::filesystem::exists(mount / controllers);
            tightest = tighter(tightest, tightest_upwards(mount / (joined ? controllers : "cpu"), group, read_v1));
        }
    }
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
