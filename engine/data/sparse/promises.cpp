#include "engine/data/sparse/promises.h"

#include "engine/machine/parallel.h"

#include <atomic>
#include <cmath>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 1 << 12; // rows

/// The first row in [0, rows) that `broken` says is; rows where none is.
std::uint64_t first_row(std::uint64_t rows, const auto& broken) {
    std::atomic<std::uint64_t> first{rows};
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            if (!broken(i)) continue;
            std::uint64_t known = first.load(std::memory_order_relaxed);
            while (i < known && !first.compare_exchange_weak(known, i, std::memory_order_relaxed)) {}
            return;
        }
    });
    return first.load(std::memory_order_relaxed);
}

bool rises_below(const SparseRow& row, std::uint32_t columns) {
    for (std::uint32_t k = 0; k < row.size; ++k) {
        if (row.index[k] >= columns || (k > 0 && row.index[k] <= row.index[k - 1])) return false;
    }
    return true;
}

bool is_finite(const SparseRow& row) {
    for (std::uint32_t k = 0; k < row.size; ++k) {
        if (!std::isfinite(row.value[k])) return false;
    }
    return std::isfinite(row.label);
}

} // namespace

std::string broken_promise(const SparseView& view, std::uint64_t entries) {
    if (view.offsets[0] != 0 || view.offsets[view.rows] != entries)
        return fmt::format("its offsets go from {} to {}, its arrays from 0 to {}", view.offsets[0],
                           view.offsets[view.rows], entries);
    const std::uint64_t falls = first_row(view.rows, [&](std::uint64_t i) {
        return view.offsets[i + 1] < view.offsets[i] || view.offsets[i + 1] - view.offsets[i] > view.columns;
    });
    if (falls < view.rows) return fmt::format("row {} has offsets that fall, or more entries than columns", falls + 1);
    const std::uint64_t odd =
        first_row(view.rows, [&](std::uint64_t i) { return !rises_below(view.row(i), view.columns); });
    if (odd < view.rows)
        return fmt::format("the indices of row {} do not rise within its {} columns", odd + 1, view.columns);
    const std::uint64_t wild = first_row(view.rows, [&](std::uint64_t i) { return !is_finite(view.row(i)); });
    if (wild < view.rows) return fmt::format("row {} has a number that is not finite", wild + 1);
    return {};
}

} // namespace hogwild
