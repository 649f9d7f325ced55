#include "engine/gpu/batches/dense_products.h"

#include "engine/gpu/device_dataset.h"
#include "tests/device.h"
#include "tests/random_samples.h"

#include <algorithm>
#include <cmath>

using namespace hogwild;

namespace {

template <class T>
DeviceArray<T> uploaded(const std::vector<T>& values) {
    DeviceArray<T> array(values.size());
    upload(array.data(), values.data(), array.bytes());
    return array;
}

struct Products {
    std::vector<float> by_row, sum;

    bool operator==(const Products&) const = default;
};

/// Both products of `matrix`: with `vector`, and of its rows with `factors` on top of `vector`.
Products products_of(std::uint32_t rows, std::uint32_t columns, const std::vector<float>& matrix,
                     const std::vector<float>& vector, const std::vector<float>& factors) {
    const Stream stream;
    const DenseProducts products(stream);
    const DeviceArray<float> values = uploaded(matrix), weights = uploaded(vector), multiples = uploaded(factors);
    const DeviceArray<float> by_row = zeros<float>(rows);
    check(cudaDeviceSynchronize(), "clearing device memory");
    const DenseRows borrowed{values.data(), rows, columns};
    products.multiply(borrowed, weights.data(), by_row.data());
    products.add_multiples(borrowed, multiples.data(), weights.data());
    stream.wait();
    return {downloaded(by_row), downloaded(weights)};
}

} // namespace

TEST_CASE("products of matrices, turned or not, are the host's, up to rounding, with the same bits at every call") {
    if (no_device()) return;
    if (const std::string why = DenseProducts::why_not(); !why.empty()) {
        MESSAGE("skipped: no cuBLAS (" << why << "); to run it: install the cuBLAS of the CUDA that it was built with");
        return;
    }
    constexpr std::size_t kRows = 10, kTerms = 37, kColumns = 5, kGap = 3; // floats between rows that belong to nobody
    TestNumbers numbers(12);
    for (const Precision precision : {Precision::kFloat32, Precision::kTf32}) {
        for (const bool left_turned : {false, true}) {
            for (const bool right_turned : {false, true}) {
                CAPTURE(left_turned);
                CAPTURE(right_turned);
                const auto factor = [](std::size_t rows, std::size_t columns, bool turned) {
                    if (turned) std::swap(rows, columns);
                    return DenseFactor{nullptr, rows, columns, columns + kGap, turned};
                };
                DenseFactor left = factor(kRows, kTerms, left_turned), right = factor(kTerms, kColumns, right_turned);
                const auto a = numbers.vector<float>(left.rows * left.stride),
                           b = numbers.vector<float>(right.rows * right.stride);
                const DeviceArray<float> of_left = uploaded(a), of_right = uploaded(b);
                left.values = of_left.data();
                right.values = of_right.data();
                constexpr std::size_t kStride = kColumns + kGap;
                const DeviceArray<float> made = uploaded(std::vector<float>(kRows * kStride, 7.0f));
                const Stream stream;
                const DenseProducts products(stream, precision);
                const auto product = [&] {
                    products.multiply(left, right, made.data(), kStride);
                    stream.wait();
                    return downloaded(made);
                };
                const std::vector<float> found = product();
                CHECK(product() == found);
                const auto at = [](const std::vector<float>& values, const DenseFactor& of, std::size_t i,
                                   std::size_t k) -> double {
                    return of.turned ? values[k * of.stride + i] : values[i * of.stride + k];
                };
                // Terms are below 1: each is rounded into a sum below kTerms, and of tf32 each factor to 11 bits, or cut.
                const double bound =
                    kTerms * kTerms * 0x1p-24 + (precision == Precision::kTf32 ? kTerms * 2 * 0x1p-10 : 0);
                for (std::size_t i = 0; i < kRows; ++i) {
                    for (std::size_t n = 0; n < kStride; ++n) {
                        double sum = n < kColumns ? 0 : 7; // what lies between rows stays
                        for (std::size_t k = 0; n < kColumns && k < kTerms; ++k)
                            sum += at(a, left, i, k) * at(b, right, k, n);
                        CHECK(std::abs(found[i * kStride + n] - sum) <= bound);
                    }
                }
            }
        }
    }
}

TEST_CASE("products with a dense matrix are the host's, up to rounding, with the same bits at every call") {
    if (no_device()) return;
    if (const std::string why = DenseProducts::why_not(); !why.empty()) {
        MESSAGE("skipped: no cuBLAS (" << why << "); to run it: install the cuBLAS of the CUDA that it was built with");
        return;
    }
    TestNumbers numbers(11);
    for (const std::uint32_t columns : {1u, 3u, 54u, 131u, 1'000u}) {
        for (const std::uint32_t rows : {1u, 64u, 1'000u}) {
            const auto matrix = numbers.vector<float>(std::size_t{rows} * columns);
            const auto vector = numbers.vector<float>(columns), factors = numbers.vector<float>(rows);
            const Products products = products_of(rows, columns, matrix, vector, factors);
            CHECK(products == products_of(rows, columns, matrix, vector, factors));
            std::vector<double> sum(vector.begin(), vector.end());
            double farthest = 0; // terms are below 1, and each is rounded into a sum of at most 1,000
            for (std::uint32_t i = 0; i < rows; ++i) {
                double product = 0;
                for (std::uint32_t j = 0; j < columns; ++j) {
                    const double value = matrix[std::size_t{i} * columns + j];
                    product += value * vector[j];
                    sum[j] += value * factors[i];
                }
                farthest = std::max(farthest, std::abs(product - products.by_row[i]));
            }
            for (std::uint32_t j = 0; j < columns; ++j) {
                farthest = std::max(farthest, std::abs(sum[j] - products.sum[j]));
            }
            CHECK(farthest < 1'000 * 100 * 0x1p-24);
        }
    }
}
