// How many cores this process may really use: the smaller of its CPU affinity and its cgroup's CPU quota.
//
// A container with a quota of 1.5 cores on a machine of 64 gets 2 threads, not 64, since more would only be throttled.
// The standard library's hardware_concurrency knows nothing of quotas. Any thread may call these; nothing is cached.
// Source: man 2 sched_getaffinity; the kernel's admin-guide/cgroup-v2 (cpu.max) and cgroup-v1 (cpu.cfs_quota_us).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct CoreBudget {
    unsigned affinity = 1; // logical processors the process may be scheduled on
    unsigned quota = 0;    // ceil(quota / period) of the tightest cgroup; 0: no quota
    unsigned usable = 1;   // min of the two, at least 1
};

CoreBudget core_budget();
unsigned usable_cores();

/// The system's numbers of these logical processors, ascending. Those of the process's first thread, so that the answer
/// does not depend on which (perhaps pinned) thread asks.
std::vector<unsigned> affinity_processors();

/// ceil(quota / period) of a cgroup v2 `cpu.max`, "150000 100000" -> 2; "max 100000" or unreadable text -> 0.
unsigned parse_cpu_max(std::string_view text);

/// The same for the two cgroup v1 files, "150000" and "100000" -> 2; a quota of -1 -> 0.
unsigned parse_cfs_quota(std::string_view quota, std::string_view period);

/// The tightest quota over the process's cgroup and its ancestors, v2 and v1, 0 when there is none. `membership` is the
/// text of /proc/self/cgroup, `mount` the folder that holds the hierarchies (/sys/fs/cgroup).
unsigned cgroup_quota(const std::string& membership, const std::filesystem::path& mount);

} // namespace hogwild
