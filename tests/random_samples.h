// Small random samples for tests: every row is drawn from its own random numbers, so a failure is repeatable by its
// seed.
#pragma once

#include "kernels/numbers/random.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

/// Numbers in [-1, 1), the same for the same seed.
class TestNumbers {
public:
    explicit TestNumbers(std::uint64_t seed) : key_(philox_key(seed)) {}

    std::uint32_t bits();
    float number() { return 2 * unit_float(bits()) - 1; }

    template <class Real>
    std::vector<Real> vector(std::size_t size, double scale = 1) {
        std::vector<Real> numbers(size);
        for (Real& n : numbers) n = static_cast<Real>(scale * number());
        return numbers;
    }

private:
    PhiloxKey key_;
    std::uint32_t counter_ = 0;
};

/// Owns the samples it views.
struct TestSamples {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> indices;
    std::vector<float> values;
    std::vector<float> labels;
    std::uint32_t columns = 0;

    /// Appends a sample; indices increase.
    void add(float label, const std::vector<std::uint32_t>& index, const std::vector<float>& value) {
        indices.insert(indices.end(), index.begin(), index.end());
        values.insert(values.end(), value.begin(), value.end());
        offsets.push_back(indices.size());
        labels.push_back(label);
    }

    SparseView view() const {
        return {offsets.data(), indices.data(), values.data(), labels.data(), labels.size(), columns};
    }
};

/// Row lengths 0 .. 2 * mean, labels -1 and +1 that a planted model decides, with noise.
TestSamples random_samples(std::uint64_t rows, std::uint32_t columns, std::uint32_t mean, std::uint64_t seed);

/// Rows that hold every column, labels that a planted model decides, with noise.
inline TestSamples dense_samples(std::uint64_t rows, std::uint32_t columns, std::uint64_t seed) {
    return random_samples(rows, columns, columns, seed);
}

/// Rows that hold every column. Labels and values are signs and powers of two, drawn without regard to each other. So a
/// hinge run of small constant steps on a power of two has the same sums in any order.
inline TestSamples exact_dense_samples(std::uint64_t rows, std::uint32_t columns) {
    constexpr float kSizes[] = {1.0f, 0.5f, 2.0f};
    TestNumbers numbers(7);
    TestSamples samples;
    samples.columns = columns;
    std::vector<std::uint32_t> index(columns);
    for (std::uint32_t j = 0; j < columns; ++j) index[j] = j;
    std::vector<float> value(columns);
    for (std::uint64_t i = 0; i < rows; ++i) {
        std::uint32_t signs = 0;
        for (std::uint32_t j = 0; j < columns; ++j, signs /= 2) {
            if (j % 32 == 0) signs = numbers.bits();
            value[j] = signs % 2 == 0 ? kSizes[j % 3] : -kSizes[j % 3];
        }
        samples.add(numbers.bits() % 2 == 0 ? 1.0f : -1.0f, index, value);
    }
    return samples;
}

} // namespace hogwild
