#include "engine/machine/provenance.h"

#include "engine/machine/hwloc_tree.h"

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

} // namespace hogwild
