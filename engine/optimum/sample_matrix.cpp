#include "engine/optimum/sample_matrix.h"

#include "engine/machine/parallel.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::uint64_t kRowGrain = 512;
constexpr std::uint64_t kColumnGrain = 4096;

} // namespace

SampleMatrix::SampleMatrix(const SparseView& data) : data_(data) {
    const std::uint64_t columns = std::max<std::uint64_t>(data.columns, 1);
    const std::uint64_t blocks = std::clamp<std::uint64_t>(data.nonzeros() / (8 * columns), 1, 32);
    block_rows_ = std::max<std::uint64_t>((data.rows + blocks - 1) / blocks, 1);
    blocks_ = PageArray<double>((data.rows + block_rows_ - 1) / block_rows_ * data.columns);
}

void SampleMatrix::multiply(std::span<const double> weights, std::span<double> margins) {
    ++passes_;
    parallel_for(data_.rows, kRowGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) margins[i] = dot(data_.row(i), weights.data());
    });
}

template <class Term>
void SampleMatrix::scatter(std::span<const double> samples, std::span<double> sums, const Term& term) {
    ++passes_;
    const std::size_t columns = data_.columns;
    parallel_for(data_.rows, block_rows_, [&](std::uint64_t begin, std::uint64_t end) {
        double* const block = blocks_.data() + begin / block_rows_ * columns;
        std::fill_n(block, columns, 0.0);
        for (std::uint64_t i = begin; i < end; ++i) {
            const double sample = samples[i];
            if (sample == 0) continue; // most dual variables of the hinge
            const SparseRow row = data_.row(i);
            for (std::uint32_t e = 0; e < row.size; ++e) block[row.index[e]] += sample * term(double{row.value[e]});
        }
    });
    const std::size_t blocks = columns == 0 ? 0 : blocks_.size() / columns;
    parallel_for(columns, kColumnGrain, [&](std::uint64_t begin, std::uint64_t end) {
        std::fill(sums.begin() + begin, sums.begin() + end, 0.0);
        for (std::size_t b = 0; b < blocks; ++b) {
            const double* const block = blocks_.data() + b * columns;
            for (std::uint64_t j = begin; j < end; ++j) sums[j] += block[j];
        }
    });
}

void SampleMatrix::multiply_transposed(std::span<const double> samples, std::span<double> sums) {
    scatter(samples, sums, [](double x) { return x; });
}

void SampleMatrix::squares_transposed(std::span<const double> samples, std::span<double> sums) {
    scatter(samples, sums, [](double x) { return x * x; });
}

} // namespace hogwild
