// What this machine is: processors, caches, memory, instruction sets, and the settings that decide its speed.
//
// Plain values, read once from hwloc, /proc and /sys; nothing is measured here (engine/measure/measure.h) and nothing
// is printed. What the system does not tell is 0, or an empty string. Counts are of what this process is allowed to
// see. Thread-safety: the functions may be called from any thread. Errors: Error when hwloc cannot read the machine.
#pragma once

#include "engine/machine/cores.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

class HwlocTree; // engine/machine/hwloc_tree.h

struct CacheLevel {
    unsigned level = 0;      // 1, 2, 3, ...; of level 1 the data cache
    std::uint64_t bytes = 0; // of one instance
    unsigned instances = 0;
    unsigned shared_by = 0; // logical processors per instance
};

struct Topology {
    unsigned sockets = 0;
    unsigned numa_nodes = 0;
    unsigned cores = 0;
    unsigned processors = 0;        // logical: hardware threads
    unsigned line_bytes = 0;        // of a level-1 line
    std::vector<CacheLevel> caches; // by level, ascending
};

Topology read_topology(const HwlocTree& tree);

/// The settings around a run, those that a reader of its results asks for.
struct MachineState {
    std::string cpu_model;
    std::vector<std::string> instruction_sets; // of those the engine may use: sse2, avx2, fma, avx512f, ...
    std::string governor;                      // of the first allowed processor; empty: not visible
    std::string huge_pages;                    // transparent huge pages: always | madvise | never
    std::string kernel;                        // "Linux 6.1.0 x86_64"
    std::string boot;                          // tells machines, and their boots, apart and names none; empty: unknown
    bool virtual_machine = false;              // a hypervisor announces itself
    double load_average = 0;                   // over the last minute
    std::uint64_t memory_bytes = 0;            // of the machine, or of the tightest cgroup
    std::uint64_t available_bytes = 0;         // that a program may take without swapping
    CoreBudget cores;
};

MachineState read_machine_state();

/// The word in brackets of "always [madvise] never"; the whole text when there are none.
std::string chosen_word(const std::string& text);

/// The value behind the first line that starts with `key` and a colon, as in /proc/cpuinfo; empty when there is none.
std::string field_of(const std::string& text, const std::string& key);

} // namespace hogwild
