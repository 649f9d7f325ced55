// Products and sums of a worker's own rows (kernels/lanes/scalar.h).
#include "kernels/lanes/dispatch.h"
#include "tests/kernels/instruction_sets.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

using namespace hogwild;

namespace {

struct CopyBody {
    template <class Lanes>
    static void run(float* own, const float* shared, std::uint32_t size) {
        Lanes::copy_row(own, shared, size);
    }
};

struct ProductsBody {
    template <class Lanes>
    static void run(const float* left, std::uint32_t left_rows, const float* right, std::uint32_t right_rows,
                    std::uint32_t stride, float* out) {
        Lanes::products(left, left_rows, right, right_rows, stride, out);
    }
};

struct SumBody {
    template <class Lanes>
    static void run(float* out, const float* rows, std::uint32_t count, std::uint32_t stride, const float* factor,
                    std::uint32_t apart) {
        Lanes::sum_rows(out, rows, count, stride, factor, apart);
    }
};

template <Write kWrite>
struct AddRowBody {
    template <class Lanes>
    static void run(float* weights, const float* row, std::uint32_t size) {
        Lanes::template add_dense<kWrite>(weights, row, size, 0.37f);
    }
};

using Copy = OnLanes<CopyBody, float*, const float*, std::uint32_t>;
using Products = OnLanes<ProductsBody, const float*, std::uint32_t, const float*, std::uint32_t, std::uint32_t, float*>;
using Sum = OnLanes<SumBody, float*, const float*, std::uint32_t, std::uint32_t, const float*, std::uint32_t>;
using AddRow = OnLanes<AddRowBody<Write::kStore>, float*, const float*, std::uint32_t>;
using DiscardRow = OnLanes<AddRowBody<Write::kDiscard>, float*, const float*, std::uint32_t>;

/// Own rows of random numbers.
struct Rows {
    alignas(64) float at[20 * 80] = {};
    std::uint32_t stride;

    Rows(std::uint32_t count, std::uint32_t size, std::uint64_t seed) : stride(own_stride(size)) {
        TestNumbers numbers(seed);
        for (std::uint32_t r = 0; r < count; ++r) {
            for (std::uint32_t k = 0; k < size; ++k) at[r * stride + k] = numbers.number();
        }
    }
};

} // namespace

TEST_CASE("a copy is the row, and zeros up to a multiple of 16, on every instruction set") {
    for (std::uint32_t size = 1; size <= 67; ++size) {
        const std::vector<float> shared = TestNumbers(size).vector<float>(size);
        for (const auto copy : available<Copy>()) {
            alignas(64) float own[96];
            for (float& each : own) each = 7;
            copy(own, shared.data(), size);
            for (std::uint32_t k = 0; k < 96; ++k)
                CHECK(own[k] == (k < size ? shared[k] : k < own_stride(size) ? 0.0f : 7.0f));
        }
    }
}

TEST_CASE("products have the scalar form's bits on every instruction set, and are sums of products") { // oracle 11
    for (const std::uint32_t size : {1u, 15u, 16u, 17u, 31u, 33u, 67u}) {
        for (std::uint32_t left = 1; left <= 5; ++left) {
            for (std::uint32_t right = 1; right <= 18; ++right) {
                const Rows a(left, size, 1), b(right, size, 2);
                std::vector<float> expected(left * right + 1, 9.0f); // the last one is a canary
                Products::scalar(a.at, left, b.at, right, a.stride, expected.data());
                for (const auto products : available<Products>()) {
                    std::vector<float> found(expected.size(), 9.0f);
                    products(a.at, left, b.at, right, a.stride, found.data());
                    CHECK(same_bits(found, expected));
                }
                for (std::uint32_t i = 0; i < left; ++i) {
                    for (std::uint32_t j = 0; j < right; ++j) {
                        double sum = 0;
                        for (std::uint32_t k = 0; k < size; ++k)
                            sum += double{a.at[i * a.stride + k]} * double{b.at[j * b.stride + k]};
                        CHECK(std::abs(expected[j * left + i] - sum) < size * 1e-6);
                    }
                }
            }
        }
    }
}

TEST_CASE("sums of rows have the scalar form's bits on every instruction set, and are sums") {
    for (const std::uint32_t size : {1u, 16u, 35u, 67u}) {
        for (std::uint32_t count = 1; count <= 20; ++count) {
            const Rows rows(count, size, 3);
            const std::vector<float> factors = TestNumbers(4).vector<float>(3 * count);
            alignas(64) float expected[80], found[80];
            Sum::scalar(expected, rows.at, count, rows.stride, factors.data(), 3);
            for (const auto sum : available<Sum>()) {
                sum(found, rows.at, count, rows.stride, factors.data(), 3);
                CHECK(std::memcmp(found, expected, rows.stride * sizeof(float)) == 0);
            }
            for (std::uint32_t k = 0; k < size; ++k) {
                double sum = 0;
                for (std::uint32_t r = 0; r < count; ++r)
                    sum += double{factors[3 * r]} * double{rows.at[r * rows.stride + k]};
                CHECK(std::abs(expected[k] - sum) < count * 1e-6);
            }
        }
    }
}

TEST_CASE("a dense row is added with the scalar form's bits, its neighbours left alone; discarding writes nothing") {
    for (std::uint32_t size = 0; size <= 67; ++size) {
        const Rows row(1, 67, 5);
        const std::vector<float> before = TestNumbers(6).vector<float>(80);
        std::vector<float> expected = before;
        for (std::uint32_t k = 0; k < size; ++k) expected[5 + k] = before[5 + k] + 0.37f * row.at[k];
        for (const auto add : available<AddRow>()) {
            std::vector<float> found = before;
            add(found.data() + 5, row.at, size);
            CHECK(same_bits(found, expected));
        }
        for (const auto discard : available<DiscardRow>()) {
            std::vector<float> found = before;
            discard(found.data() + 5, row.at, size);
            CHECK(same_bits(found, before));
        }
    }
}
