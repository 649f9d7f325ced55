#include "engine/record/margins.h"

#include "engine/machine/parallel.h"
#include "engine/record/evaluate_block.h"

namespace hogwild {

std::vector<double> margins(const SparseView& data, std::span<const float> weights) {
    constexpr std::uint64_t kGrain = 4096;
    std::vector<double> all(data.rows);
    parallel_for(data.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) evaluation::margins_of<1, 1>(data.row(i), weights.data(), &all[i]);
    });
    return all;
}

} // namespace hogwild
