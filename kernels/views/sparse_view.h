// Borrowed memory: views of samples stored as compressed sparse rows (CSR).
//
// A view owns nothing, is copied by value, and lives no longer than its owner (engine/data/dataset.h).
// Any number of threads may read through a view at the same time; nobody may write meanwhile.
#pragma once

#include "kernels/annotate.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hogwild {

/// One sample: `size` pairs (index, value), indices 0-based and strictly increasing, and its label.
struct SparseRow {
    const std::uint32_t* index;
    const float* value;
    std::uint32_t size;
    float label;

    /// visit(j) for every coordinate that a step on it increments, rising.
    void for_each_coordinate(const auto& visit) const {
        for (std::uint32_t k = 0; k < size; ++k) visit(index[k]);
    }

    /// visit(g) for every group of coordinates that it touches, rising; here each coordinate is a group by itself.
    void for_each_group(const auto& visit) const { for_each_coordinate(visit); }
};

/// `rows` samples over `columns` coordinates; sample i occupies [offsets[i], offsets[i + 1]) of indices and values.
struct SparseView {
    static constexpr std::string_view kSamples = "sparse rows";
    static constexpr bool kMovable = true;
    static constexpr std::uint32_t together(std::uint64_t) { return 256; }

    const std::uint64_t* offsets = nullptr; // rows + 1 entries, offsets[0] == 0
    const std::uint32_t* indices = nullptr; // offsets[rows] entries, each below columns
    const float* values = nullptr;          // offsets[rows] entries, all finite
    const float* labels = nullptr;          // rows entries
    std::uint64_t rows = 0;
    std::uint32_t columns = 0;

    HOGWILD_HOST_DEVICE std::uint64_t nonzeros() const { return rows == 0 ? 0 : offsets[rows]; }
    HOGWILD_HOST_DEVICE std::uint32_t coordinates() const { return columns; }
    HOGWILD_HOST_DEVICE std::uint32_t groups() const { return columns; }
    HOGWILD_HOST_DEVICE std::uint64_t bytes() const { // of indices and values
        return nonzeros() * (sizeof(float) + sizeof(std::uint32_t));
    }

    /// Every row holds every column (a row has no column twice, so none can have more).
    HOGWILD_HOST_DEVICE bool dense() const { return columns > 0 && nonzeros() == rows * columns; }

    /// visit(array, entries) for every array of a view; each may be moved by the visit.
    static void for_each_array(auto& view, const auto& visit) {
        visit(view.offsets, view.rows + 1);
        visit(view.indices, view.nonzeros());
        visit(view.values, view.nonzeros());
        visit(view.labels, view.rows);
    }

    /// In the larger dimension of the two.
    SparseView widened(const SparseView& other) const {
        SparseView wide = *this;
        wide.columns = other.columns > columns ? other.columns : columns;
        return wide;
    }

    HOGWILD_HOST_DEVICE SparseRow row(std::uint64_t i) const {
        const std::uint64_t begin = offsets[i];
        return {indices + begin, values + begin, static_cast<std::uint32_t>(offsets[i + 1] - begin), labels[i]};
    }
    HOGWILD_HOST_DEVICE SparseRow drawn(std::uint64_t i, std::uint64_t, std::uint32_t) const { return row(i); }
};

} // namespace hogwild
