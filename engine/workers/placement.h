// Which processors each worker is bound to.
//
// `cores`: worker i on one processor. First comes one per physical core in the machine's order (neighbouring cores
// share a cache and a NUMA node). Then come the cores' second threads, and so on. More workers than processors begin
// again. `numa`: worker i on all processors of node i mod nodes. `none`: nothing is bound.
// Source: hwloc's logical order, see its manual "Terms and Definitions".
#pragma once

#include "engine/plan/choice_rows.h"

#include <string>
#include <vector>

namespace hogwild {

class HwlocTree; // engine/machine/hwloc_tree.h

/// That of one of kPinTraits; throws Error (Failure::kUsage) for anything else.
Pin parse_pin(const std::string& name);

/// One list of processors (the system's numbers, ascending) per worker; empty lists when nothing is bound. Only
/// processors of `allowed` are used. Throws Error when the tree knows none of them.
std::vector<std::vector<unsigned>> place_workers(const HwlocTree& tree, const std::vector<unsigned>& allowed,
                                                 unsigned workers, Pin pin);

/// Cores, of those in `allowed`, of the largest node: NUMA node, on a machine of one last-level cache. At least 1.
unsigned cores_of_node(const HwlocTree& tree, const std::vector<unsigned>& allowed);

/// Cores of the largest node of this machine, of those that this process may use.
unsigned cores_of_node();

} // namespace hogwild
