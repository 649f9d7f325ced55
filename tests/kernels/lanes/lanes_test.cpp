#include "kernels/lanes/dispatch.h"
#include "kernels/numbers/random.h"
#include "tests/kernels/instruction_sets.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <vector>

using namespace hogwild;

namespace {

float number(std::uint32_t i, std::uint32_t stream) { return unit_float(philox({i, stream, 0, 0}, {5, 5})[0]) - 0.5f; }

struct Row {
    std::vector<std::uint32_t> index;
    std::vector<float> value;

    explicit Row(std::uint32_t size) {
        for (std::uint32_t k = 0; k < size; ++k) {
            index.push_back(1 + 3 * k + philox({k, 9, 0, 0}, {size, 1})[0] % 3); // rising, with gaps
            value.push_back(number(k, 1));
        }
    }
    SparseRow view() const { return {index.data(), value.data(), static_cast<std::uint32_t>(index.size()), 1.0f}; }
};

std::vector<float> weights() {
    std::vector<float> w(300);
    for (std::uint32_t j = 0; j < w.size(); ++j) w[j] = number(j, 2);
    return w;
}

struct DotBody {
    template <class Lanes>
    static void run(const float* w, const SparseRow& row, float* result) {
        *result = Lanes::dot(w, row);
    }
};

template <Write kWrite>
struct AddBody {
    template <class Lanes>
    static void run(float* w, const SparseRow& row, float scale) {
        Lanes::template add<kWrite>(w, row, scale);
    }
};

struct DotPairBody {
    template <class Lanes>
    static void run(const float* a, const float* b, std::uint32_t size, float* result) {
        *result = Lanes::dot(a, b, size);
    }
};

template <Write kWrite>
struct AddPairBody {
    template <class Lanes>
    static void run(float* a, float* b, std::uint32_t size) {
        Lanes::template add_pair<kWrite>(a, b, size, {0.37f, -0.02f}, {0.25f, -0.01f});
    }
};

using DotPair = OnLanes<DotPairBody, const float*, const float*, std::uint32_t, float*>;
using AddPair = OnLanes<AddPairBody<Write::kStore>, float*, float*, std::uint32_t>;
using DiscardPair = OnLanes<AddPairBody<Write::kDiscard>, float*, float*, std::uint32_t>;
using Dot = OnLanes<DotBody, const float*, const SparseRow&, float*>;
using Add = OnLanes<AddBody<Write::kStore>, float*, const SparseRow&, float>;
using Discard = OnLanes<AddBody<Write::kDiscard>, float*, const SparseRow&, float>;

} // namespace

TEST_CASE("instruction sets are known by the names of their lanes") {
    CHECK(kInstructionSetNames[static_cast<std::size_t>(InstructionSet::kScalar)] == ScalarLanes::name);
#if HOGWILD_VECTOR_LANES
    CHECK(kInstructionSetNames[static_cast<std::size_t>(InstructionSet::kAvx2)] == Avx2Lanes::name);
    CHECK(kInstructionSetNames[static_cast<std::size_t>(InstructionSet::kAvx512)] == Avx512Lanes::name);
#endif
}

TEST_CASE("every instruction set gives the scalar form's bits, for rows of 0 to 67") { // oracle 11
    for (std::uint32_t size = 0; size <= 67; ++size) {
        const Row row(size);
        const std::vector<float> before = weights();
        float expected = 0;
        Dot::scalar(before.data(), row.view(), &expected);
        for (const auto dot : available<Dot>()) {
            float found = 0;
            dot(before.data(), row.view(), &found);
            CHECK(std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(expected));
        }
        std::vector<float> sums = before;
        Add::scalar(sums.data(), row.view(), 0.37f);
        for (const auto add : available<Add>()) {
            std::vector<float> found = before; // coordinates between and around the row's are its canaries
            add(found.data(), row.view(), 0.37f);
            CHECK(found == sums);
        }
    }
}

TEST_CASE("dot is the sum of products") {
    const Row row(67);
    const std::vector<float> w = weights();
    double sum = 0, magnitude = 0;
    for (std::size_t k = 0; k < row.index.size(); ++k) {
        const double term = static_cast<double>(row.value[k]) * w[row.index[k]];
        sum += term;
        magnitude += std::abs(term);
    }
    float found = 0;
    Dot::scalar(w.data(), row.view(), &found);
    CHECK(std::abs(found - sum) <= 67 * 0x1p-24 * magnitude); // gamma_n: at most n roundings of half an ulp each
}

TEST_CASE("add adds scale times value to the row's coordinates and to no other") {
    const Row row(20);
    std::vector<float> expected = weights();
    for (std::size_t k = 0; k < row.index.size(); ++k) expected[row.index[k]] += 2.0f * row.value[k];
    std::vector<float> found = weights();
    Add::scalar(found.data(), row.view(), 2.0f);
    CHECK(found == expected);
}

TEST_CASE("discarding writes nothing") {
    const Row row(67);
    for (const auto discard : available<Discard>()) {
        std::vector<float> found = weights();
        discard(found.data(), row.view(), 2.0f);
        CHECK(found == weights());
    }
}

TEST_CASE(
    "every instruction set gives the scalar form's bits, for pairs of 0 to 67 factors, wherever they lie") { // oracle 11
    for (std::uint32_t size = 0; size <= 67; ++size) {
        for (const std::uint32_t first : {0u, 1u, 7u}) { // not on a vector's boundary
            const std::vector<float> before = weights();
            const std::uint32_t second = first + size + 3;
            float expected = 0;
            DotPair::scalar(before.data() + first, before.data() + second, size, &expected);
            for (const auto dot : available<DotPair>()) {
                float found = 0;
                dot(before.data() + first, before.data() + second, size, &found);
                CHECK(std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(expected));
            }
            std::vector<float> sums = before;
            AddPair::scalar(sums.data() + first, sums.data() + second, size);
            CHECK((sums == before) == (size == 0));
            for (const auto add : available<AddPair>()) {
                std::vector<float> found = before; // coordinates between and around the two are its canaries
                add(found.data() + first, found.data() + second, size);
                CHECK(found == sums);
            }
            for (const auto discard : available<DiscardPair>()) {
                std::vector<float> found = before;
                discard(found.data() + first, found.data() + second, size);
                CHECK(found == before);
            }
        }
    }
}
