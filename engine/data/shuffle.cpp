#include "engine/data/shuffle.h"

#include "engine/data/sparse_arrays.h"
#include "engine/machine/parallel.h"
#include "kernels/permutation.h"

#include <algorithm>

namespace hogwild {

Dataset shuffled(const Dataset& source) {
    constexpr std::uint64_t kSeed = 0x73687566; // fixed: a run's own seed orders the blocks
    constexpr std::uint64_t kGrain = 4096;
    const SparseView from = source.sparse();
    auto arrays = std::make_shared<SparseArrays>(from.rows, from.nonzeros(), from.columns);
    const Permutation permutation(static_cast<std::uint32_t>(from.rows), kSeed, 0);
    for (std::uint64_t i = 0; i < from.rows; ++i) {
        arrays->offsets[i + 1] = arrays->offsets[i] + from.row(permutation(static_cast<std::uint32_t>(i))).size;
    }
    parallel_for(from.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const SparseRow row = from.row(permutation(static_cast<std::uint32_t>(i)));
            std::copy_n(row.index, row.size, arrays->indices.data() + arrays->offsets[i]);
            std::copy_n(row.value, row.size, arrays->values.data() + arrays->offsets[i]);
            arrays->labels[i] = row.label;
        }
    });
    const SparseView view = arrays->view();
    return {source.name(), source.content_hash(), view, std::move(arrays)};
}

} // namespace hogwild
