// The control groups that bind this process: its own and all their ancestors, of hierarchies v2 and v1.
//
// A container may see its host's path in /proc/self/cgroup but mount only its own part of the tree. Walking up to the
// mount's root visits whatever exists, and a parent's limit binds its children. Any thread may call; nothing is cached.
// Source: the kernel's admin-guide/cgroup-v2 and cgroup-v1.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace hogwild {

enum class CgroupVersion { kV1, kV2 };

/// Calls `visit` with each folder that may hold files of `controller` ("cpu", "memory"). `membership` is the text of
/// /proc/self/cgroup, `mount` the folder that holds the hierarchies (/sys/fs/cgroup).
void visit_cgroups(const std::string& membership, const std::filesystem::path& mount, std::string_view controller,
                   const std::function<void(const std::filesystem::path& folder, CgroupVersion version)>& visit);

} // namespace hogwild
