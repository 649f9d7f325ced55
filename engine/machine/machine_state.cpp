#include "engine/machine/content_hash.h"
#include "engine/machine/memory_budget.h"
#include "engine/machine/small_file.h"
#include "engine/machine/topology.h"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <sys/utsname.h>

namespace hogwild {
namespace {

std::vector<std::string> supported_instruction_sets() {
    std::vector<std::string> sets;
#if defined(__x86_64__)
    // The builtin takes literals only, hence a macro.
#define HOGWILD_ADD_IF_SUPPORTED(name)                                                                                 \
    if (__builtin_cpu_supports(name)) sets.emplace_back(name)
    HOGWILD_ADD_IF_SUPPORTED("sse2");
    HOGWILD_ADD_IF_SUPPORTED("sse4.2");
    HOGWILD_ADD_IF_SUPPORTED("avx");
    HOGWILD_ADD_IF_SUPPORTED("avx2");
    HOGWILD_ADD_IF_SUPPORTED("fma");
    HOGWILD_ADD_IF_SUPPORTED("bmi2");
    HOGWILD_ADD_IF_SUPPORTED("avx512f");
    HOGWILD_ADD_IF_SUPPORTED("avx512bw");
    HOGWILD_ADD_IF_SUPPORTED("avx512cd");
    HOGWILD_ADD_IF_SUPPORTED("avx512dq");
    HOGWILD_ADD_IF_SUPPORTED("avx512vl");
#undef HOGWILD_ADD_IF_SUPPORTED
#elif defined(__aarch64__)
    sets.emplace_back("neon"); // part of the base architecture
#endif
    return sets;
}

std::string read_governor() {
    const std::vector<unsigned> processors = affinity_processors();
    if (processors.empty()) return {};
    return read_small_file("/sys/devices/system/cpu/cpu" + std::to_string(processors.front()) +
                           "/cpufreq/scaling_governor");
}

std::string read_kernel() {
    utsname names{};
    if (uname(&names) != 0) return {};
    return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

/// A random number of the kernel's, hashed: the same for all programs until it boots again.
std::string read_boot() {
    const std::string id = read_small_file("/proc/sys/kernel/random/boot_id");
    return id.empty() ? "" : fmt::format("{:08x}", content_hash(id) >> 32);
}

// cpuinfo separates the flags by single spaces.
bool has_flag(const std::string& flags, const std::string& flag) {
    return (" " + flags + " ").find(" " + flag + " ") != std::string::npos;
}

} // namespace

std::string chosen_word(const std::string& text) {
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos) return text;
    return text.substr(open + 1, close - open - 1);
}

std::string field_of(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::size_t name_end = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1);
        if (name_end == std::string::npos || line.compare(0, name_end + 1, key) != 0) continue;
        const std::size_t value = line.find_first_not_of(" \t", colon + 1);
        return value == std::string::npos ? std::string() : line.substr(value);
    }
    return {};
}

MachineState read_machine_state() {
    const std::string cpuinfo = read_small_file("/proc/cpuinfo");
    const MemoryBudget memory = memory_budget();
    MachineState state;
    state.cpu_model = field_of(cpuinfo, "model name");
    state.instruction_sets = supported_instruction_sets();
    state.governor = read_governor();
    state.huge_pages = chosen_word(read_small_file("/sys/kernel/mm/transparent_hugepage/enabled"));
    state.kernel = read_kernel();
    state.boot = read_boot();
    state.virtual_machine = has_flag(field_of(cpuinfo, "flags"), "hypervisor");
    state.load_average = std::strtod(read_small_file("/proc/loadavg").c_str(), nullptr);
    state.memory_bytes = memory.total;
    state.available_bytes = memory.available;
    state.cores = core_budget();
    return state;
}

} // namespace hogwild
