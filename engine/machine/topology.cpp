#include "engine/machine/topology.h"

#include "engine/machine/hwloc_tree.h"

#include <algorithm>

#include <hwloc.h>

namespace hogwild {
namespace {

unsigned count_of(hwloc_topology_t tree, hwloc_obj_type_t type) {
    const int count = hwloc_get_nbobjs_by_type(tree, type);
    return count > 0 ? static_cast<unsigned>(count) : 0;
}

// Caches of one level may differ (big and little cores); the first stands for them.
void append_cache(Topology& topology, hwloc_topology_t tree, unsigned level, hwloc_obj_type_t type) {
    const hwloc_obj_t first = hwloc_get_next_obj_by_type(tree, type, nullptr);
    if (first == nullptr || first->attr->cache.size == 0) return;
    CacheLevel cache;
    cache.level = level;
    cache.bytes = first->attr->cache.size;
    cache.instances = count_of(tree, type);
    cache.shared_by = static_cast<unsigned>(std::max(0, hwloc_bitmap_weight(first->cpuset)));
    topology.caches.push_back(cache);
    if (topology.line_bytes == 0) topology.line_bytes = first->attr->cache.linesize;
}

} // namespace

Topology read_topology(const HwlocTree& owner) {
    hwloc_topology_t tree = owner.get();
    Topology topology;
    topology.sockets = count_of(tree, HWLOC_OBJ_PACKAGE);
    topology.numa_nodes = count_of(tree, HWLOC_OBJ_NUMANODE);
    topology.cores = count_of(tree, HWLOC_OBJ_CORE);
    topology.processors = count_of(tree, HWLOC_OBJ_PU);
    append_cache(topology, tree, 1, HWLOC_OBJ_L1CACHE);
    append_cache(topology, tree, 2, HWLOC_OBJ_L2CACHE);
    append_cache(topology, tree, 3, HWLOC_OBJ_L3CACHE);
    append_cache(topology, tree, 4, HWLOC_OBJ_L4CACHE);
    return topology;
}

} // namespace hogwild
