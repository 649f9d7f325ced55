// Generated graphs with a cut to find.
//
//   grid      An image or a volume. Neighbours in each dimension are joined by weights of 1 to 3. Every node is joined
//             to one of two terminals by up to 10. Nodes within a ball in the middle are joined to the source, those
//             around it to the sink. So much of that is noise that one node in four is wrong. The classes that were
//             planted are known.
//   entities  Mentions of entities, which are the terminals. Each mention is joined to an entity, four times of five
//             its own, and to two other mentions of that. It is joined to one mention of anything too, more weakly. All
//             mentions' entities are known.
//
// Weights are whole numbers. The same bits on every machine and at any number of threads. Errors: throws Error
// (Failure::kUsage) for a name that it does not understand, naming what it does, and for what does not fit into memory.
// Thread-safety: reentrant.
#pragma once

#include "engine/data/dataset.h"

#include <array>
#include <cstdint>
#include <string>

namespace hogwild {

struct SyntheticGraph {
    std::array<std::uint64_t, 3> grid{64, 64, 1}; // nodes in each dimension, the first of them side by side
    std::uint64_t entities = 0;                   // above 0: mentions of so many entities, no grid
    std::uint64_t mentions = 0;
    std::uint64_t seed = 1;
};

/// Reads "synthetic:grid=WxH", "synthetic:grid=WxHxD", "synthetic:entities=K,mentions=M" or "synthetic:tiny". Two names
/// have the shape of a graph of Recht et al. 2011: "synthetic:abdomen" (512 x 512 x 551) and "synthetic:dblife" (18,167
/// entities, 180,110 mentions). "synthetic:abdomen/N" has a Nth of the slices, "synthetic:dblife/N" a Nth of both
/// numbers. Each may be followed by ",seed=S".
SyntheticGraph parse_synthetic_graph(const std::string& name, std::uint64_t seed);

/// Every field in a fixed order; two recipes generate the same bits if and only if these texts are equal.
std::string to_string(const SyntheticGraph& recipe);

/// The content hash is XXH3 of to_string(recipe).
Dataset generate(const SyntheticGraph& recipe, const std::string& name);

} // namespace hogwild
