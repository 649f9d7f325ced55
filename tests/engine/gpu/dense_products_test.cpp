#include "engine/gpu/dense_products.h"

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

TEST_CASE("products with a dense matrix are the host's, up to rounding, with the same bits at every call") {
    if (no_device()) return;
    if (const std::string why = DenseProducts::why_not(); !why.empty()) {
        MESSAGE("skipped: no cuBLAS (" << why << ")");
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
