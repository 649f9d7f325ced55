// Some of the rows, evenly spaced, over no more columns than they touch.
//
// Columns are numbered anew, in their order, where the rows have fewer entries than the data have columns. So what walks all numbers
// costs as much as the rows.
//
// Thread-safety: written by its constructor alone. Errors: none.
#pragma once

#include "kernels/views/sparse_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class SampledRows {
public:
    /// At most so many rows. `data` outlives it.
    SampledRows(const SparseView& data, std::uint64_t most);

    std::uint64_t rows() const { return rows_; }

    /// Numbers that its rows' indices lie below.
    std::uint32_t columns() const { return columns_; }

    SparseRow row(std::uint64_t i) const;

private:
    SparseRow stored(std::uint64_t i) const { return data_.row(i * data_.rows / rows_); }

    SparseView data_;
    std::uint64_t rows_;
    std::uint32_t columns_;
    std::vector<std::uint64_t> begins_; // of each row's numbers
    std::vector<std::uint32_t> numbers_;
};

} // namespace hogwild
