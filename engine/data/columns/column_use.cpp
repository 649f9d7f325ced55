#include "engine/data/columns/column_use.h"

#include <algorithm>

namespace hogwild {

ColumnUse column_use(const SparseView& data) {
    constexpr std::uint64_t kEnough = 4'000'000;
    ColumnUse use{std::vector<float>(data.columns), std::vector<float>(data.columns)};
    if (data.rows == 0) return use;
    const std::uint64_t skip = std::max<std::uint64_t>(data.nonzeros() / kEnough, 1);
    std::vector<double> touched(data.columns), energy(data.columns);
    std::uint64_t counted = 0;
    for (std::uint64_t i = 0; i < data.rows; i += skip, ++counted) {
        const SparseRow row = data.row(i);
        for (std::uint32_t k = 0; k < row.size; ++k) {
            touched[row.index[k]] += 1;
            energy[row.index[k]] += static_cast<double>(row.value[k]) * row.value[k];
        }
    }
    const auto mean = [&](double sum) { return static_cast<float>(sum / static_cast<double>(counted)); };
    std::ranges::transform(touched, use.touched.begin(), mean);
    std::ranges::transform(energy, use.energy.begin(), mean);
    return use;
}

} // namespace hogwild
