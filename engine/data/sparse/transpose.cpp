#include "engine/data/sparse/transpose.h"

#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::uint64_t kColumnGrain = 4096;

std::uint64_t blocks_of(const SparseView& samples) {
    return std::clamp<std::uint64_t>(samples.nonzeros() / (2 * std::max<std::uint64_t>(samples.columns, 1)), 1, 32);
}

} // namespace

std::unique_ptr<SparseArrays> transposed(const SparseView& samples) {
    const std::uint64_t columns = samples.columns, blocks = blocks_of(samples);
    const std::uint64_t grain = std::max<std::uint64_t>((samples.rows + blocks - 1) / blocks, 1);
    auto turned = std::make_unique<SparseArrays>(columns, samples.nonzeros(), static_cast<std::uint32_t>(samples.rows));
    // For each block and column: how many nonzeros, then how many of the column's lie before them.
    const PageArray<std::uint32_t> counts(blocks * columns);
    parallel_for(samples.rows, grain, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint32_t* const count = counts.data() + begin / grain * columns;
        std::fill_n(count, columns, 0u);
        for (std::uint64_t e = samples.offsets[begin]; e < samples.offsets[end]; ++e) ++count[samples.indices[e]];
    });
    const std::uint64_t counted = (samples.rows + grain - 1) / grain; // blocks
    parallel_for(columns, kColumnGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t j = begin; j < end; ++j) {
            std::uint32_t before = 0;
            for (std::uint64_t b = 0; b < counted; ++b) {
                std::uint32_t& count = counts.data()[b * columns + j];
                before += count;
                count = before - count;
            }
            turned->offsets.data()[j + 1] = before;
        }
    });
    turned->offsets.data()[0] = 0;
    for (std::uint64_t j = 0; j < columns; ++j) turned->offsets.data()[j + 1] += turned->offsets.data()[j];
    parallel_for(samples.rows, grain, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint32_t* const before = counts.data() + begin / grain * columns;
        for (std::uint64_t i = begin; i < end; ++i) {
            const SparseRow row = samples.row(i);
            for (std::uint32_t k = 0; k < row.size; ++k) {
                const std::uint64_t at = turned->offsets.data()[row.index[k]] + before[row.index[k]]++;
                turned->indices.data()[at] = static_cast<std::uint32_t>(i);
                turned->values.data()[at] = row.value[k];
            }
        }
    });
    parallel_for(columns, kColumnGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t j = begin; j < end; ++j) {
            double norm = 0;
            for (std::uint64_t e = turned->offsets.data()[j]; e < turned->offsets.data()[j + 1]; ++e)
                norm += double{turned->values.data()[e]} * double{turned->values.data()[e]};
            turned->labels.data()[j] = static_cast<float>(norm);
        }
    });
    return turned;
}

std::uint64_t transposed_bytes(const SparseView& samples) {
    return samples.bytes() + (sizeof(std::uint64_t) + sizeof(float) + blocks_of(samples) * sizeof(std::uint32_t)) *
                                 (std::uint64_t{samples.columns} + 1);
}

} // namespace hogwild
