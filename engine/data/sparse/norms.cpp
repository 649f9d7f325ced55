#include "engine/data/sparse/norms.h"

#include "engine/data/sparse/sampled_rows.h"
#include "engine/machine/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

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

double most_squared_norm(const SparseView& data) {
    constexpr std::uint64_t kGrain = 4096;
    const auto most = [&](std::uint64_t begin, std::uint64_t end) {
        double largest = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
            const SparseRow row = data.row(i);
            double sum = 0;
            for (std::uint32_t k = 0; k < row.size; ++k) sum += static_cast<double>(row.value[k]) * row.value[k];
            largest = std::max(largest, sum);
        }
        return largest;
    };
    double largest = 0;
    for (const double part : parallel_map<double>(data.rows, kGrain, most)) largest = std::max(largest, part);
    return largest;
}

double shared_energy(const SparseView& data) {
    constexpr std::uint64_t kMostSamples = 16'384;
    constexpr int kIterations = 10;
    const SampledRows samples(data, kMostSamples);
    const auto length = [](const std::vector<double>& of) {
        return std::sqrt(std::inner_product(of.begin(), of.end(), of.begin(), 0.0));
    };
    std::vector<double> direction(samples.columns(), 1.0);
    double norm = std::sqrt(static_cast<double>(data.columns)), energy = 0; // of ones in all columns
    for (int iteration = 0; samples.rows() > 0 && norm > 0 && iteration < kIterations; ++iteration) {
        std::vector<double> next(samples.columns());
        for (std::uint64_t i = 0; i < samples.rows(); ++i) {
            const SparseRow row = samples.row(i);
            double margin = 0;
            for (std::uint32_t k = 0; k < row.size; ++k) margin += direction[row.index[k]] / norm * row.value[k];
            for (std::uint32_t k = 0; k < row.size; ++k) next[row.index[k]] += margin * row.value[k];
        }
        for (double& entry : next) entry /= static_cast<double>(samples.rows());
        norm = energy = length(next);
        direction = std::move(next);
    }
    return energy;
}

double deviation(const RatingsView& data) {
    constexpr std::uint64_t kGrain = 1 << 16;
    const auto squares = [&](std::uint64_t begin, std::uint64_t end) {
        double sum = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
            const double from_mean = static_cast<double>(data.ratings[i].value) - static_cast<double>(data.model.mean);
            sum += from_mean * from_mean;
        }
        return sum;
    };
    if (data.rows < 2) return 0;
    const auto blocks = parallel_map<double>(data.rows, kGrain, squares);
    return std::sqrt(std::accumulate(blocks.begin(), blocks.end(), 0.0) / static_cast<double>(data.rows));
}

namespace {

SampleScale scale_of(const SparseView& data) {
    return {mean_squared_norm(data), shared_energy(data), data.rows,
            data.dense() ? static_cast<std::uint32_t>(data.columns) : 0, most_squared_norm(data)};
}

SampleScale scale_of(const RatingsView& data) {
    const double spread = deviation(data);
    return {.squared_norm = spread > 0 ? spread : 1, .rows = data.rows};
}

SampleScale scale_of(const TokensView& data) { return {.rows = data.rows}; }

SampleScale scale_of(const ImagesView& data) { return {.rows = data.rows}; }

SampleScale scale_of(const EdgesView& data) { return {.squared_norm = data.classes / 2.0, .rows = data.rows}; }

} // namespace

SampleScale sample_scale(const AnyView& samples) {
    return samples.visit([](const auto& data) { return scale_of(data); });
}

} // namespace hogwild
