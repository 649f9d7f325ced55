// Comparing and checking samples in tests.
#pragma once

#include "kernels/views/sparse_view.h"

#include <cmath>
#include <cstring>
#include <string>

namespace hogwild {

/// Why two views differ in any bit, or an empty string. Columns are not compared.
inline std::string difference(SparseView a, SparseView b) {
    if (a.rows != b.rows) return "rows " + std::to_string(a.rows) + " and " + std::to_string(b.rows);
    if (std::memcmp(a.offsets, b.offsets, 8 * (a.rows + 1)) != 0) return "offsets";
    if (std::memcmp(a.indices, b.indices, 4 * a.nonzeros()) != 0) return "indices";
    if (std::memcmp(a.values, b.values, 4 * a.nonzeros()) != 0) return "values";
    if (std::memcmp(a.labels, b.labels, 4 * a.rows) != 0) return "labels";
    return {};
}

/// Which promise of SparseView is broken, or an empty string.
inline std::string broken_promise(SparseView view) {
    if (view.offsets[0] != 0) return "first offset";
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        if (view.offsets[i + 1] < view.offsets[i]) return "offsets fall";
        const SparseRow row = view.row(i);
        if (!std::isfinite(row.label)) return "label";
        for (std::uint32_t k = 0; k < row.size; ++k) {
            if (row.index[k] >= view.columns) return "index beyond the columns";
            if (k > 0 && row.index[k] <= row.index[k - 1]) return "indices do not rise";
            if (!std::isfinite(row.value[k])) return "value";
        }
    }
    return {};
}

} // namespace hogwild
