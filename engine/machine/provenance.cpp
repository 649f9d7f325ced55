#include "engine/machine/provenance.h"

#include "engine/machine/hwloc_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#ifndef HOGWILD_VERSION
#define HOGWILD_VERSION "unknown"
#endif
#ifndef HOGWILD_COMMIT
#define HOGWILD_COMMIT "unknown"
#endif
#ifndef HOGWILD_COMPILER
#define HOGWILD_COMPILER "unknown"
#endif
#ifndef HOGWILD_FLAGS
#define HOGWILD_FLAGS "unknown"
#endif
#ifndef HOGWILD_BUILD_TYPE
#define HOGWILD_BUILD_TYPE "unknown"
#endif

namespace hogwild {

Build build_facts() { return {HOGWILD_VERSION, HOGWILD_COMMIT, HOGWILD_COMPILER, HOGWILD_FLAGS, HOGWILD_BUILD_TYPE}; }

Provenance read_provenance() {
    return {build_facts(), read_machine_state(), read_topology(HwlocTree::of_this_machine())};
}

std::vector<std::pair<std::string, std::string>> fields(const Provenance& provenance) {
    const auto& [build, machine, topology] = provenance;
    std::vector<std::pair<std::string, std::string>> list{
        {"version", build.version},
        {"commit", build.commit},
        {"compiler", build.compiler},
        {"flags", build.flags},
        {"build_type", build.type},
        {"cpu_model", machine.cpu_model},
        {"instruction_sets", fmt::format("{}", fmt::join(machine.instruction_sets, " "))},
        {"sockets", std::to_string(topology.sockets)},
        {"numa_nodes", std::to_string(topology.numa_nodes)},
        {"cores", std::to_string(topology.cores)},
        {"processors", std::to_string(topology.processors)},
        {"affinity_processors", std::to_string(machine.cores.affinity)},
        {"cgroup_quota_cores", machine.cores.quota == 0 ? "none" : std::to_string(machine.cores.quota)},
        {"usable_cores", std::to_string(machine.cores.usable)},
        {"governor", machine.governor.empty() ? "not visible" : machine.governor},
        {"load_average", fmt::format("{:.2f}", machine.load_average)},
        {"transparent_huge_pages", machine.huge_pages},
        {"kernel", machine.kernel},
        {"virtual_machine", machine.virtual_machine ? "yes" : "no"},
        {"memory_bytes", std::to_string(machine.memory_bytes)},
        {"available_bytes", std::to_string(machine.available_bytes)},
    };
    for (const CacheLevel& cache : topology.caches) {
        list.emplace_back(fmt::format("l{}_bytes", cache.level), std::to_string(cache.bytes));
        list.emplace_back(fmt::format("l{}_shared_by", cache.level), std::to_string(cache.shared_by));
    }
    return list;
}

} // namespace hogwild
