// Where a result comes from: the machine, its state, and the build. What a manifest records beside the plan.
//
// The build's facts are compile definitions (HOGWILD_VERSION, ...), "unknown" where the build system gave none. The
// host's name is left out on purpose: manifests are published.
#pragma once

#include "engine/machine/topology.h"

#include <string>

namespace hogwild {

struct Build {
    std::string version;
    std::string commit;
    std::string compiler; // name and version
    std::string flags;
    std::string type; // Release, ...
};

struct Provenance {
    Build build;
    MachineState machine;
    Topology topology;
};

Build build_facts();

/// Reads the machine as it is now: take it when the run starts. Throws Error when hwloc cannot read the machine.
Provenance read_provenance();

} // namespace hogwild
