#include "engine/machine/memory_budget.h"

#include "engine/error.h"
#include "engine/machine/limits/cgroups.h"
#include "engine/machine/small_file.h"
#include "engine/machine/topology.h"
#include "engine/numbers.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace hogwild {
namespace {

std::uint64_t kibibytes(const std::string& meminfo, const std::string& key) {
    const std::string field = field_of(meminfo, key);
    const auto count = parse_count(field.substr(0, field.find(' ')));
    return count && *count < kUnknownMemory >> 10 ? *count << 10 : kUnknownMemory;
}

/// The limit of one group, nothing where it has none ("max", or a file that is not there).
std::optional<std::uint64_t> limit_of(const std::string& text) { return parse_count(text.substr(0, text.find('\n'))); }

/// The value of `key` in a memory.stat of lines "key value".
std::uint64_t statistic(const std::string& text, const std::string& key) {
    std::istringstream words(text);
    std::string word;
    for (std::uint64_t value = 0; words >> word >> value;) {
        if (word == key) return value;
    }
    return 0;
}

} // namespace

MemoryBudget memory_budget(const std::string& meminfo, const std::string& membership,
                           const std::filesystem::path& mount) {
    MemoryBudget budget{kibibytes(meminfo, "MemTotal"), kibibytes(meminfo, "MemAvailable")};
    budget.available = std::min(budget.available, budget.total);
    visit_cgroups(membership, mount, "memory", [&](const std::filesystem::path& folder, CgroupVersion version) {
        const bool v2 = version == CgroupVersion::kV2;
        const auto limit = limit_of(read_small_file(folder / (v2 ? "memory.max" : "memory.limit_in_bytes")));
        if (!limit) return;
        const std::uint64_t used = statistic(read_small_file(folder / "memory.stat"), v2 ? "anon" : "total_rss");
        budget.total = std::min(budget.total, *limit);
        budget.available = std::min(budget.available, *limit - std::min(*limit, used));
    });
    return budget;
}

MemoryBudget memory_budget() {
    return memory_budget(read_small_file("/proc/meminfo"), read_small_file("/proc/self/cgroup"), "/sys/fs/cgroup");
}

std::string shortage(std::uint64_t bytes) {
    constexpr std::uint64_t kSmall = std::uint64_t{64} << 20; // not worth asking the system
    if (bytes <= kSmall) return "";
    const std::uint64_t available = memory_budget().available;
    if (bytes <= available) return "";
    const auto gib = [](std::uint64_t count) { return static_cast<double>(count) / 0x1p30; };
    return fmt::format("it takes {:.1f} GiB, {:.1f} GiB of memory are available", gib(bytes), gib(available));
}

void require_memory(std::uint64_t bytes, const std::string& what, const std::string& suggestion) {
    if (const std::string why = shortage(bytes); !why.empty()) throw Error(what + " does not fit", why, suggestion);
}

} // namespace hogwild
