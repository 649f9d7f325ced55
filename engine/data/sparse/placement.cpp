#include "engine/data/sparse/placement.h"

#include "engine/data/sparse/sparse_arrays.h"
#include "engine/data/statistics.h"
#include "engine/machine/parallel.h"
#include "kernels/numbers/permutation.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace hogwild {

namespace {

std::vector<std::uint32_t> by_falling_heat(const AnyView& data) {
    const std::vector<std::uint64_t> counts = group_counts(data);
    std::vector<std::uint32_t> columns(data.groups());
    std::iota(columns.begin(), columns.end(), 0u);
    std::ranges::stable_sort(columns, [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
    return columns;
}

} // namespace

unsigned hot_shift(std::string_view kind, std::uint32_t columns, std::uint32_t hot) {
    constexpr unsigned kLine = 4; // 16 floats
    if (!placement_traits(kind).apart) return 0;
    unsigned shift = 0;
    while (shift < kLine && (std::uint64_t{hot} << (shift + 1)) <= columns) ++shift;
    return shift;
}

std::vector<std::uint32_t> placement(std::string_view kind, const AnyView& data, std::uint32_t hot) {
    const PlacementTraits& traits = placement_traits(kind);
    if (!traits.moves) return {};
    const std::uint32_t width = data.coordinates();
    std::vector<std::uint32_t> numbers(width);
    if (traits.by_heat) {
        const std::vector<std::uint32_t> columns = by_falling_heat(data);
        for (std::uint32_t rank = 0; rank < width; ++rank) numbers[columns[rank]] = rank;
        return numbers;
    }
    constexpr std::uint64_t kSeed = 0x73636174; // fixed: a placement is no part of a run's randomness
    const std::uint32_t apart = traits.counted ? std::min(hot, width) : 0;
    const unsigned shift = apart > 0 ? hot_shift(kind, width, apart) : 0;
    std::vector<std::uint32_t> columns(width);
    if (apart > 0) {
        columns = by_falling_heat(data);
    } else {
        std::iota(columns.begin(), columns.end(), 0u);
    }
    std::vector<std::uint32_t> free; // places that no hot coordinate takes
    for (std::uint32_t place = 0; place < width; ++place) {
        const std::uint32_t k = place >> shift;
        if (k >= apart || k << shift != place) free.push_back(place);
    }
    const Permutation scatter(std::max(width - apart, 1u), kSeed, 0);
    for (std::uint32_t rank = 0; rank < width; ++rank) {
        numbers[columns[rank]] = rank < apart ? rank << shift : free[scatter(rank - apart)];
    }
    return numbers;
}

Dataset placed(const Dataset& data, const std::vector<std::uint32_t>& numbers) {
    if (numbers.empty()) return data;
    constexpr std::uint64_t kGrain = 4096;
    const SparseView from = data.sparse();
    auto arrays = std::make_shared<SparseArrays>(from.rows, from.nonzeros(), from.columns);
    std::copy_n(from.offsets, from.rows + 1, arrays->offsets.data());
    std::copy_n(from.labels, from.rows, arrays->labels.data());
    parallel_for(from.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        std::vector<std::pair<std::uint32_t, float>> moved;
        for (std::uint64_t i = begin; i < end; ++i) {
            const SparseRow row = from.row(i);
            moved.clear();
            for (std::uint32_t k = 0; k < row.size; ++k) moved.emplace_back(numbers[row.index[k]], row.value[k]);
            std::ranges::sort(moved, {}, &std::pair<std::uint32_t, float>::first);
            const std::uint64_t at = from.offsets[i];
            for (std::uint32_t k = 0; k < row.size; ++k) {
                std::tie(arrays->indices[at + k], arrays->values[at + k]) = moved[k];
            }
        }
    });
    const SparseView view = arrays->view();
    return {data.name(), data.content_hash(), view, std::move(arrays)};
}

} // namespace hogwild
