#include "kernels/patterns/low_precision_steps.h"

#include "kernels/lanes/dispatch.h"
#include "kernels/numbers/int8.h"
#include "kernels/numbers/random.h"
#include "tests/kernels/instruction_sets.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kCells = 300;

float number(std::uint32_t i, std::uint32_t stream) { return unit_float(philox({i, stream, 0, 0}, {5, 5})[0]) - 0.5f; }

/// Cells in words of their own, as a buffer has them.
template <class Number>
struct Memory {
    std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kCells);
    Number form;

    Cells<Number> cells() { return {reinterpret_cast<typename Number::Bits*>(words.data()), form}; }
};

/// Numbers of many magnitudes.
template <class Number>
Memory<Number> filled() {
    Memory<Number> memory;
    if constexpr (std::same_as<Number, Int8>) memory.form = Int8::of_range(2);
    for (std::uint32_t j = 0; j < kCells; ++j)
        memory.cells().store(j, std::ldexp(number(j, 2), static_cast<int>(j % 24) - 18), kHalfWay<Number>);
    return memory;
}

struct Row {
    std::vector<std::uint32_t> index;
    std::vector<float> value;

    explicit Row(std::uint32_t size) {
        for (std::uint32_t k = 0; k < size; ++k) {
            index.push_back(1 + 3 * k + philox({k, 9, 0, 0}, {size, 1})[0] % 3); // rising, with gaps
            value.push_back(std::ldexp(number(k, 1), static_cast<int>(k % 20) - 12));
        }
    }
    SparseRow view() const { return {index.data(), value.data(), static_cast<std::uint32_t>(index.size()), 1.0f}; }
};

template <class Number>
struct DotBody {
    template <class Lanes>
    static void run(const Cells<Number>& cells, const SparseRow& row, float* result) {
        *result = LowPrecision<Lanes, Number>::dot(cells, row);
    }
};

template <class Number, Rounding kRounding>
struct AddBody {
    template <class Lanes>
    static void run(const Cells<Number>& cells, const SparseRow& row, float scale, Dither& dither) {
        LowPrecision<Lanes, Number>::template add<kRounding>(cells, row, scale, dither);
    }
};

template <class Number>
struct CopyBody {
    template <class Lanes>
    static void run(float* out, const Cells<Number>& cells, std::uint32_t size) {
        LowPrecision<Lanes, Number>::copy(out, cells, size);
    }
};

template <class Number>
using Copy = OnLanes<CopyBody<Number>, float*, const Cells<Number>&, std::uint32_t>;
template <class Number>
using Dot = OnLanes<DotBody<Number>, const Cells<Number>&, const SparseRow&, float*>;
template <class Number, Rounding kRounding>
using Add = OnLanes<AddBody<Number, kRounding>, const Cells<Number>&, const SparseRow&, float, Dither&>;

/// What the contract says of an addition, word by word.
template <class Number, Rounding kRounding>
Memory<Number> added(const Row& row, float scale, std::uint32_t seed, std::uint32_t& drawn) {
    Memory<Number> memory = filled<Number>();
    std::vector<std::uint32_t> words;
    Dither dither(seed);
    for (std::uint32_t k = 0; k < 100; ++k) words.push_back(dither());
    const auto size = static_cast<std::uint32_t>(row.index.size());
    for (std::uint32_t k = 0; k < size; ++k) {
        const std::uint32_t by = kRounding == Rounding::kUnbiased ? words[k] >> (32 - Number::kDither)
                                 : kRounding == Rounding::kShared ? words[k % 16] >> (32 - Number::kDither)
                                                                  : 1u << (Number::kDither - 1);
        const Cells<Number> cells = memory.cells();
        cells.store(row.index[k], cells.load(row.index[k]) + scale * row.value[k], by);
    }
    drawn = kRounding == Rounding::kUnbiased ? size : kRounding == Rounding::kShared ? 16 : 0;
    return memory;
}

template <class Number, Rounding kRounding>
void check_additions() {
    for (std::uint32_t size = 0; size <= 67; ++size) {
        const Row row(size);
        for (const float scale : {0.37f, -1e-3f, 1e6f, -1e38f, std::numeric_limits<float>::quiet_NaN()}) {
            std::uint32_t drawn = 0;
            const Memory<Number> expected = added<Number, kRounding>(row, scale, 7, drawn);
            for (const auto add : available<Add<Number, kRounding>>()) {
                Memory<Number> found = filled<Number>();
                Dither dither(7), after(7);
                after.skip(drawn);
                add(found.cells(), row.view(), scale, dither);
                CHECK(found.words == expected.words); // neighbours too
                CHECK(dither.state() == after.state());
            }
        }
    }
}

} // namespace

TEST_CASE_TEMPLATE("a row's numbers take the words of their rounding, with the same bits on every instruction set",
                   Number, Bf16, Fp16, Int8) { // oracle 11
    check_additions<Number, Rounding::kUnbiased>();
    check_additions<Number, Rounding::kShared>();
    check_additions<Number, Rounding::kNearest>();
}

TEST_CASE_TEMPLATE("a margin has the same bits on every instruction set, those of floats that hold the same", Number,
                   Bf16, Fp16, Int8) {
    Memory<Number> memory = filled<Number>();
    std::vector<float> floats(kCells);
    Copy<Number>::scalar(floats.data(), memory.cells(), kCells);
    for (std::uint32_t size = 0; size <= 67; ++size) {
        const Row row(size);
        for (const auto dot : available<Dot<Number>>()) {
            float found = -1;
            dot(memory.cells(), row.view(), &found);
            CHECK(found == ScalarLanes::dot(floats.data(), row.view()));
        }
    }
}

TEST_CASE_TEMPLATE("a copy has every number and nothing beyond, on every instruction set", Number, Bf16, Fp16, Int8) {
    Memory<Number> memory = filled<Number>();
    for (std::uint32_t size = 0; size <= 67; ++size) {
        for (const auto copy : available<Copy<Number>>()) {
            std::vector<float> out(size + 1, -1.0f);
            copy(out.data(), memory.cells(), size);
            for (std::uint32_t j = 0; j < size; ++j) CHECK(out[j] == memory.cells().load(j));
            CHECK(out[size] == -1.0f);
        }
    }
}

TEST_CASE("shared words are uniform in each lane, and independent between lanes and steps") {
    // Lane l of step s has word 16 s + l of the sequence, so a step's sixteen are those of sixteen unbiased roundings.
    Memory<Int8> memory;
    memory.form = Int8::of_range(127);
    std::vector<std::uint32_t> index(16);
    std::vector<float> value(16, 0.25f);
    for (std::uint32_t l = 0; l < 16; ++l) index[l] = l;
    const SparseRow row{index.data(), value.data(), 16, 1.0f};
    std::vector<int> ups(16);
    Dither dither(3);
    constexpr int kSteps = 4'096;
    for (int s = 0; s < kSteps; ++s) {
        memory.words.assign(kCells, 0);
        LowPrecisionScalar<Int8>::add<Rounding::kShared>(memory.cells(), row, 1, dither);
        for (std::uint32_t l = 0; l < 16; ++l) ups[l] += static_cast<int>(memory.cells().load(l));
    }
    const double spread = std::sqrt(kSteps * 0.25 * 0.75);
    for (const int up : ups) CHECK(std::abs(up - kSteps * 0.25) < 4 * spread);
}

TEST_CASE("a chunk's words are those of its seed, epoch and first sample, and no others'") {
    const std::vector<std::uint32_t> samples{5, 9};
    Chunk chunk{};
    chunk.samples = samples.data();
    chunk.epoch = 2;
    chunk.seed = 11;
    const std::uint32_t first = words_of(chunk).state();
    CHECK(words_of(chunk).state() == first);
    Chunk other = chunk;
    other.samples = samples.data() + 1;
    CHECK(words_of(other).state() != first);
    other = chunk;
    other.epoch = 3;
    CHECK(words_of(other).state() != first);
    other = chunk;
    other.seed = 11 + (std::uint64_t{1} << 32);
    CHECK(words_of(other).state() != first);
}

TEST_CASE_TEMPLATE("rescaling rounds each number to a neighbour, whoever has which range", Number, Bf16, Fp16, Int8) {
    for (const Rounding rounding : {Rounding::kUnbiased, Rounding::kShared, Rounding::kNearest}) {
        const float factor = 0.51f;
        Memory<Number> whole = filled<Number>(), parts = filled<Number>();
        rescale(whole.cells(), 0, kCells, factor, rounding, 9);
        for (std::uint32_t begin = 0; begin < kCells; begin += 50)
            rescale(parts.cells(), begin, begin + 50, factor, rounding, 9);
        CHECK(parts.words == whole.words);
        Memory<Number> before = filled<Number>();
        for (std::uint32_t j = 0; j < kCells; ++j) {
            const float x = before.cells().load(j) * factor, now = whole.cells().load(j);
            const std::uint32_t all = (std::uint32_t{1} << Number::kDither) - 1;
            const float low = before.form.widened(before.form.rounded(x, 0)),
                        high = before.form.widened(before.form.rounded(x, all));
            CHECK((now == low || now == high));
            if (rounding == Rounding::kNearest) CHECK(std::abs(now - x) <= std::abs(high - low) / 2);
        }
    }
}
