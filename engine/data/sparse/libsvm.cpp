#include "engine/data/sparse/libsvm.h"

#include "engine/data/sparse/libsvm_block.h"
#include "engine/data/text/text_blocks.h"

#include <algorithm>
#include <utility>

namespace hogwild {
namespace {

/// Where a block's part of the arrays begins.
struct Place {
    std::uint64_t row = 0, nonzero = 0;
};

void check(const std::string& name, const Place& total) {
    if (total.row == 0)
        throw Error(name + " holds no sample", "it is empty, or comments only", "check that it is the file you mean");
    if (total.nonzero == 0)
        throw Error(name + " holds no feature", "its lines are labels only", "check that it is the file you mean");
}

/// Joins what the blocks hold, and frees them one by one.
std::shared_ptr<SparseArrays> join(const std::string& name, std::vector<LibsvmBlock>& blocks) {
    std::vector<Place> places;
    Place next;
    std::uint32_t columns = 0;
    for (const LibsvmBlock& block : blocks) {
        places.push_back(next);
        next = {next.row + block.rows, next.nonzero + block.nonzeros};
        columns = std::max(columns, block.columns);
    }
    check(name, next);
    auto arrays = std::make_shared<SparseArrays>(next.row, next.nonzero, columns);
    // Blocks are taken in order, whatever the split. So all threads fill neighbouring huge pages while the blocks
    // behind them are freed. Spread over the arrays, every thread would hold pages of its own, filled to a fraction.
    std::atomic<std::size_t> next_block{0};
    parallel_for(blocks.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t turn = begin; turn < end; ++turn) {
            const std::size_t i = next_block.fetch_add(1, std::memory_order_relaxed);
            const LibsvmBlock block = std::move(blocks[i]); // freed at the end of this turn
            const Place place = places[i];
            std::copy_n(block.labels.data(), block.rows, arrays->labels.data() + place.row);
            std::copy_n(block.indices.data(), block.nonzeros, arrays->indices.data() + place.nonzero);
            std::copy_n(block.values.data(), block.nonzeros, arrays->values.data() + place.nonzero);
            std::uint64_t offset = place.nonzero;
            for (std::uint64_t row = 0; row < block.rows; ++row) {
                offset += block.lengths[row];
                arrays->offsets[place.row + row + 1] = offset;
            }
        }
    });
    return arrays;
}

} // namespace

LibsvmData read_libsvm(std::string_view stored, const std::string& name, const TextLimits& limits) {
    TextBlocks<LibsvmBlock> parser(name, limits.max_array_bytes, parse_libsvm_block);
    const std::uint64_t text_bytes = read_text(stored, limits, parser);
    return {join(name, parser.blocks()), text_bytes};
}

} // namespace hogwild
