#include "engine/data/sparse/sampled_rows.h"

#include "engine/data/columns/renumber.h"

#include <algorithm>

namespace hogwild {

SampledRows::SampledRows(const SparseView& data, std::uint64_t most)
    : data_(data), rows_(std::min(data.rows, most)), columns_(data.columns) {
    std::uint64_t entries = 0;
    for (std::uint64_t i = 0; i < rows_; ++i) entries += stored(i).size;
    if (entries >= columns_) return;
    for (std::uint64_t i = 0; i < rows_; ++i) {
        begins_.push_back(numbers_.size());
        stored(i).for_each_coordinate([&](std::uint32_t column) { numbers_.push_back(column); });
    }
    columns_ = static_cast<std::uint32_t>(renumber(numbers_).size());
}

SparseRow SampledRows::row(std::uint64_t i) const {
    SparseRow row = stored(i);
    if (!begins_.empty()) row.index = numbers_.data() + begins_[i];
    return row;
}

} // namespace hogwild
