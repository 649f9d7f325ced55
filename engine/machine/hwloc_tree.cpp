#include "engine/machine/hwloc_tree.h"

#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <cerrno>
#include <cstring>

#include <hwloc.h>

namespace hogwild {
namespace {

hwloc_topology_t new_tree() {
    hwloc_topology_t tree = nullptr;
    if (hwloc_topology_init(&tree) != 0) {
        throw Error("cannot read the machine's topology", "hwloc is out of memory", "use a machine with more memory");
    }
    return tree;
}

} // namespace

void HwlocTree::Destroy::operator()(hwloc_topology* tree) const { hwloc_topology_destroy(tree); }

HwlocTree::HwlocTree() : tree_(new_tree()) { load(); }

HwlocTree::HwlocTree(const std::string& synthetic) : tree_(new_tree()) {
    if (hwloc_topology_set_synthetic(tree_.get(), synthetic.c_str()) != 0) {
        throw Error("cannot read the topology '" + synthetic + "'", std::strerror(errno),
                    "write it as 'pack:2 core:4 pu:2'");
    }
    load();
}

void HwlocTree::load() {
    if (hwloc_topology_load(tree_.get()) != 0) {
        const int reason = errno;
        throw Error("cannot read the machine's topology", reason_of(reason),
                    remedy_of(reason, "check that /sys is mounted"));
    }
}

const HwlocTree& HwlocTree::of_this_machine() {
    static const HwlocTree tree;
    return tree;
}

} // namespace hogwild
