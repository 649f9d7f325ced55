#include "engine/data/placement.h"

#include "engine/data/sparse_arrays.h"
#include "engine/data/statistics.h"
#include "engine/machine/parallel.h"
#include "kernels/permutation.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace hogwild {

std::vector<std::uint32_t> placement(std::string_view kind, const SparseView& data) {
    if (kind == "stored") return {};
    std::vector<std::uint32_t> numbers(data.columns);
    if (kind == "scattered") {
        constexpr std::uint64_t kSeed = 0x73636174; // fixed: a placement is no part of a run's randomness
        const Permutation permutation(data.columns, kSeed, 0);
        for (std::uint32_t j = 0; j < data.columns; ++j) numbers[j] = permutation(j);
        return numbers;
    }
    const std::vector<std::uint64_t> counts = column_counts(data);
    std::vector<std::uint32_t> by_heat(data.columns);
    std::iota(by_heat.begin(), by_heat.end(), 0u);
    std::ranges::stable_sort(by_heat, [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
    for (std::uint32_t rank = 0; rank < data.columns; ++rank) numbers[by_heat[rank]] = rank;
    return numbers;
}

Dataset placed(const Dataset& data, const std::vector<std::uint32_t>& numbers) {
    if (numbers.empty()) return data;
    constexpr std::uint64_t kGrain = 4096;
    const SparseView from = data.view();
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
