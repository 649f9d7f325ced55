#include "engine/workers/placement.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/hwloc_tree.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwloc.h>

namespace hogwild {
namespace {

using Processors = std::vector<unsigned>;

// The processors of one object of the tree that are allowed: of a core its threads, of a node all its cores' threads.
Processors processors_of(hwloc_const_cpuset_t object, const Processors& allowed) {
    Processors members;
    std::copy_if(allowed.begin(), allowed.end(), std::back_inserter(members),
                 [object](unsigned processor) { return hwloc_bitmap_isset(object, processor) != 0; });
    return members;
}

std::vector<Processors> groups(const HwlocTree& tree, const Processors& allowed, hwloc_obj_type_t type) {
    std::vector<Processors> found;
    for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(tree.get(), type, object)) != nullptr;) {
        Processors members = processors_of(object->cpuset, allowed);
        if (!members.empty()) found.push_back(std::move(members)); // a node may hold memory and no processor
    }
    return found;
}

// First every core's first thread, then every core's second, ...
std::vector<Processors> one_by_one(const std::vector<Processors>& cores) {
    std::vector<Processors> places;
    std::size_t widest = 0;
    for (const Processors& core : cores) widest = std::max(widest, core.size());
    for (std::size_t sibling = 0; sibling < widest; ++sibling) {
        for (const Processors& core : cores) {
            if (sibling < core.size()) places.push_back({core[sibling]});
        }
    }
    return places;
}

} // namespace

Pin parse_pin(const std::string& name) {
    const auto* const row = std::ranges::find(kPinTraits, name, &PinTraits::name);
    if (row != std::end(kPinTraits)) return row->pin;
    throw Error(Failure::kUsage, "unknown pin '" + name + "'",
                fmt::format("known: {}", fmt::join(names_of<kPinTraits>(), ", ")), "choose one of these");
}

std::vector<std::vector<unsigned>> place_workers(const HwlocTree& tree, const std::vector<unsigned>& allowed,
                                                 unsigned workers, Pin pin) {
    if (pin == Pin::kNone) return std::vector<Processors>(workers);
    std::vector<Processors> places = pin == Pin::kNuma ? groups(tree, allowed, HWLOC_OBJ_NUMANODE)
                                                       : one_by_one(groups(tree, allowed, HWLOC_OBJ_CORE));
    // Some containers and old kernels hide the cores but never the processors.
    if (places.empty()) places = groups(tree, allowed, HWLOC_OBJ_PU);
    if (places.empty()) {
        throw Error("cannot pin the workers", "the topology shows none of the processors this process may use",
                    "run with --pin none");
    }
    std::vector<Processors> placed(workers);
    for (unsigned worker = 0; worker < workers; ++worker) placed[worker] = places[worker % places.size()];
    return placed;
}

unsigned cores_of_node(const HwlocTree& tree, const std::vector<unsigned>& allowed) {
    std::vector<Processors> nodes = groups(tree, allowed, HWLOC_OBJ_NUMANODE);
    if (nodes.size() < 2) nodes = groups(tree, allowed, HWLOC_OBJ_L3CACHE);
    if (nodes.empty()) nodes = {allowed};
    std::size_t most = 1;
    for (const Processors& node : nodes) most = std::max(most, groups(tree, node, HWLOC_OBJ_CORE).size());
    return static_cast<unsigned>(most);
}

unsigned cores_of_node() { return cores_of_node(HwlocTree::of_this_machine(), affinity_processors()); }

} // namespace hogwild
