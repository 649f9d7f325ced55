// How much memory this process may take: what the system has, within its cgroup's limit.
//
// A process that takes more is killed without a word, so what could ask for much asks here first. Any thread may call;
// nothing is cached. Without /proc the memory is unknown, and nothing is refused for it. Source: man 5 proc (meminfo); the kernel's admin-guide/cgroup-v2 (memory.max) and cgroup-v1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hogwild {

inline constexpr std::uint64_t kUnknownMemory = ~std::uint64_t{0}; // more than there can be

struct MemoryBudget {
    std::uint64_t total = kUnknownMemory;     // bytes of the machine, or of the tightest cgroup
    std::uint64_t available = kUnknownMemory; // of these, bytes that are free or hold what the system can drop
};

MemoryBudget memory_budget();

/// The same from the texts of /proc/meminfo and /proc/self/cgroup, and the folder that holds the cgroup hierarchies.
MemoryBudget memory_budget(const std::string& meminfo, const std::string& membership,
                           const std::filesystem::path& mount);

/// Why so many bytes cannot be taken: "it takes 12.0 GiB, 3.1 GiB of memory are available". Empty when they can be; up
/// to 64 MiB always can.
std::string shortage(std::uint64_t bytes);

/// Throws Error "WHAT does not fit (SHORTAGE); SUGGESTION".
void require_memory(std::uint64_t bytes, const std::string& what, const std::string& suggestion);

} // namespace hogwild
