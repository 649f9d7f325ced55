#include "engine/data/norms.h"

#include "engine/machine/parallel.h"

namespace hogwild {

double mean_squared_norm(const SparseView& data) {
    if (data.rows == 0) return 0;
    constexpr std::uint64_t kGrain = 1 << 16;
    const auto squares = [&](std::uint64_t begin, std::uint64_t end) {
        double sum = 0;
        for (std::uint64_t k = begin; k < end; ++k) sum += static_cast<double>(data.values[k]) * data.values[k];
        return sum;
    };
    double sum = 0;
    for (const double part : parallel_map<double>(data.nonzeros(), kGrain, squares)) sum += part;
    return sum / static_cast<double>(data.rows);
}

} // namespace hogwild
