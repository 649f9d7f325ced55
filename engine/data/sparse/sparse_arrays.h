// The memory behind a dataset that was parsed, generated or copied: four arrays in huge pages.
#pragma once

#include "engine/data/dataset.h"
#include "engine/memory/pages.h"

#include <cstdint>

namespace hogwild {

/// Owns the arrays a SparseView borrows. Written by one producer, then shared as const.
struct SparseArrays final : DatasetStorage {
    SparseArrays() = default;
    SparseArrays(std::uint64_t rows, std::uint64_t nonzeros, std::uint32_t columns_)
        : offsets(rows + 1), indices(nonzeros), values(nonzeros), labels(rows), columns(columns_) {}

    PageArray<std::uint64_t> offsets;
    PageArray<std::uint32_t> indices;
    PageArray<float> values;
    PageArray<float> labels;
    std::uint32_t columns = 0;

    SparseView view() const {
        return {offsets.data(), indices.data(), values.data(), labels.data(), labels.size(), columns};
    }
};

} // namespace hogwild
