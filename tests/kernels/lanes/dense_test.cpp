// Sums of rows of weights for many outputs (kernels/lanes/dense.h).
#include "kernels/lanes/dispatch.h"
#include "tests/kernels/instruction_sets.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

using namespace hogwild;

namespace {

struct SumsBody {
    template <class Lanes>
    static void run(const DenseSums& sums) {
        Lanes::Dense::sums(sums);
    }
};

struct ListedBody {
    template <class Lanes>
    static void run(const ListedSum& sum) {
        Lanes::Dense::listed(sum);
    }
};

struct TransposeBody {
    template <class Lanes>
    static void run(float* own, const float* shared, std::uint32_t rows, std::uint32_t columns) {
        Lanes::Dense::transpose(own, rows + 2, shared, columns + 1, rows, columns);
    }
};

using Transpose = OnLanes<TransposeBody, float*, const float*, std::uint32_t, std::uint32_t>;
using Sums = OnLanes<SumsBody, const DenseSums&>;
using Listed = OnLanes<ListedBody, const ListedSum&>;

/// Floats that end where memory ends: to read behind them is to crash.
class GuardedFloats {
public:
    explicit GuardedFloats(const std::vector<float>& numbers) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t bytes = numbers.size() * sizeof(float), inside = (bytes + page - 1) / page * page;
        size_ = inside + page;
        memory_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(memory_ != MAP_FAILED);
        REQUIRE(mprotect(memory_ + inside, page, PROT_NONE) == 0);
        first_ = reinterpret_cast<float*>(memory_ + inside - bytes);
        std::copy(numbers.begin(), numbers.end(), first_);
    }
    GuardedFloats(const GuardedFloats&) = delete;
    GuardedFloats& operator=(const GuardedFloats&) = delete;
    ~GuardedFloats() { munmap(memory_, size_); }

    const float* data() const { return first_; }

private:
    char* memory_;
    std::size_t size_;
    float* first_;
};

/// What a sum begins with.
enum class Start { kZeros, kBiases, kOut };

/// Sums with memory of their own: canaries between the outputs' rows, before and behind them.
class Problem {
public:
    Problem(std::uint32_t outs, std::uint32_t columns, std::uint32_t terms, Factors factors, bool transposed,
            Start start)
        : gap_(outs % 3 == 0 ? 0 : 3) {
        TestNumbers numbers(outs * 10007 + columns * 101 + terms);
        sums_.outs = outs;
        sums_.columns = columns;
        sums_.terms = terms;
        sums_.factors = factors;
        sums_.transposed = transposed;
        sums_.out_stride = columns + gap_;
        sums_.rows_stride = (transposed ? terms : columns) + gap_;
        const std::size_t reach = outs == 0 || terms == 0
                                      ? 0
                                      : 1 + (outs - 1) * factors.row + (terms - 1) / factors.length * factors.run +
                                            std::min(terms - 1, factors.length - 1) * factors.step;
        const std::uint32_t rows = transposed ? columns : terms, wide = transposed ? terms : columns;
        own_.emplace(numbers.vector<float>(reach));
        weights_.emplace(numbers.vector<float>(rows == 0 ? 0 : (rows - 1) * sums_.rows_stride + wide));
        biases_.emplace(numbers.vector<float>(columns));
        before_ = numbers.vector<float>(kBefore + outs * sums_.out_stride + 16);
        start_ = start;
        sums_.factors.first = own_->data();
        sums_.rows = weights_->data();
    }

    template <class Form>
    std::vector<float> result(Form* form) const {
        std::vector<float> out = before_;
        DenseSums s = sums_;
        s.out = out.data() + kBefore;
        if (start_ == Start::kBiases) s.initial = biases_->data();
        if (start_ == Start::kOut) {
            s.initial = s.out;
            s.initial_stride = s.out_stride;
        }
        form(s);
        return out;
    }

    /// Behind each row of outputs, and around them all.
    bool canaries_live(const std::vector<float>& out) const {
        for (std::size_t i = 0; i < out.size(); ++i) {
            const bool inside = i >= kBefore && i < kBefore + sums_.outs * sums_.out_stride &&
                                (i - kBefore) % std::max<std::size_t>(sums_.out_stride, 1) < sums_.columns;
            if (!inside && std::memcmp(&out[i], &before_[i], sizeof(float)) != 0) return false;
        }
        return true;
    }

    /// Whether each output is the sum. A chain of `terms` fused multiply-adds rounds each partial sum once, and none is
    /// larger than the sum of all magnitudes. (But for those same roundings: hence the 1.001.)
    bool is_sum(const std::vector<float>& out) const {
        for (std::uint32_t m = 0; m < sums_.outs; ++m) {
            for (std::uint32_t n = 0; n < sums_.columns; ++n) {
                const std::size_t at = kBefore + m * sums_.out_stride + n;
                double sum = start_ == Start::kZeros ? 0 : start_ == Start::kBiases ? biases_->data()[n] : before_[at];
                double magnitude = std::abs(sum);
                for (std::uint32_t k = 0; k < sums_.terms; ++k) {
                    const Factors& f = sums_.factors;
                    const std::size_t of_weight =
                        sums_.transposed ? n * sums_.rows_stride + k : k * sums_.rows_stride + n;
                    const double factor = f.first[m * f.row + k / f.length * f.run + k % f.length * f.step];
                    const double term = factor * double{sums_.rows[of_weight]};
                    sum += term;
                    magnitude += std::abs(term);
                }
                if (!(std::abs(out[at] - sum) <= 1.001 * sums_.terms * 0x1p-24 * magnitude)) return false;
            }
        }
        return true;
    }

private:
    static constexpr std::size_t kBefore = 5;

    std::size_t gap_;
    std::optional<GuardedFloats> own_, weights_, biases_;
    std::vector<float> before_;
    Start start_;
    DenseSums sums_;
};

/// A matrix, its transpose, windows of a line that overlap, a line of a map of three channels with stride 2.
std::vector<Factors> layouts(std::uint32_t outs, std::uint32_t terms) {
    return {{nullptr, terms + 2u, 1, std::max(terms, 1u), 0},
            {nullptr, 1, outs + 1u, std::max(terms, 1u), 0},
            {nullptr, 1, 1, 5, outs + 4u},
            {nullptr, 6, 1, 9, 3 * (2 * outs + 1u)},
            {nullptr, 2, 3, 7, 40}};
}

void check(std::uint32_t outs, std::uint32_t columns, std::uint32_t terms, const Factors& factors, bool transposed,
           Start start) {
    CAPTURE(outs);
    CAPTURE(columns);
    CAPTURE(terms);
    CAPTURE(factors.row);
    CAPTURE(transposed);
    const Problem problem(outs, columns, terms, factors, transposed, start);
    const std::vector<float> expected = problem.result(Sums::scalar);
    CHECK(problem.canaries_live(expected));
    CHECK(problem.is_sum(expected));
    for (const auto form : available<Sums>()) CHECK(same_bits(problem.result(form), expected));
}

} // namespace

TEST_CASE(
    "every instruction set gives the scalar form's bits and leaves the rest alone, whatever the shape") { // oracle 11
    TestNumbers numbers(1);
    for (std::uint32_t size = 0; size <= 67; ++size) {
        for (std::uint32_t axis = 0; axis < 3; ++axis) { // one axis goes through all sizes, the others are drawn
            std::uint32_t sizes[3];
            for (std::uint32_t& each : sizes) each = numbers.bits() % 68;
            sizes[axis] = size;
            const std::vector<Factors> all = layouts(sizes[0], sizes[2]);
            const Start start = static_cast<Start>(numbers.bits() % 3);
            check(sizes[0], sizes[1], sizes[2], all[(size + axis) % all.size()], numbers.bits() % 3 == 0, start);
        }
    }
}

TEST_CASE("every layout of factors meets every start") {
    for (const bool transposed : {false, true}) {
        for (const Start start : {Start::kZeros, Start::kBiases, Start::kOut}) {
            for (const Factors& factors : layouts(14, 45)) check(14, 35, 45, factors, transposed, start);
        }
    }
}

TEST_CASE("sums longer and wider than a vector form's blocks have the same bits") {
    for (const bool transposed : {false, true}) {
        check(40, 130, 700, {nullptr, 703, 1, 700, 0}, transposed, Start::kBiases);
        check(61, 70, 1100, {nullptr, 1, 1, 300, 400}, transposed, Start::kOut);
        check(2, 6, 1500, {nullptr, 1500, 1, 1500, 0}, transposed, Start::kZeros);
    }
}

TEST_CASE("a sum that is cut goes on from what out holds with the same bits") {
    TestNumbers numbers(3);
    const std::vector<float> factor = numbers.vector<float>(7 * 50), rows = numbers.vector<float>(50 * 21);
    for (const auto form : available<Sums>()) {
        std::vector<float> whole(7 * 21), parts(7 * 21);
        DenseSums s{whole.data(), 21, nullptr, 0, {factor.data(), 50, 1, 50, 0}, rows.data(), 21, false, 7, 21, 50};
        form(s);
        s.out = parts.data();
        s.terms = s.factors.length = 33;
        form(s);
        s.initial = s.out;
        s.initial_stride = s.out_stride;
        s.factors.first += 33;
        s.rows += std::size_t{33} * 21;
        s.terms = s.factors.length = 17;
        form(s);
        CHECK(same_bits(parts, whole));
    }
}

TEST_CASE("a listed sum has the bits of the whole one, where what it leaves out is zero, and touches no neighbour") {
    for (std::uint32_t columns = 0; columns <= 67; ++columns) {
        TestNumbers numbers(columns);
        const std::uint32_t terms = 80;
        const GuardedFloats rows(numbers.vector<float>((terms - 1) * (columns + 2) + columns));
        const GuardedFloats biases(numbers.vector<float>(columns));
        std::vector<float> factor(terms), values;
        std::vector<std::uint32_t> index;
        for (std::uint32_t k = 0; k < terms; ++k) {
            if (numbers.bits() % 5 > columns % 6) continue;
            index.push_back(k);
            values.push_back(factor[k] = numbers.number());
        }
        for (const float* const initial : {static_cast<const float*>(nullptr), biases.data()}) {
            std::vector<float> expected(columns + 32, 9.0f);
            Sums::scalar({expected.data() + 16,
                          columns,
                          initial,
                          0,
                          {factor.data(), 0, 1, terms, 0},
                          rows.data(),
                          columns + 2,
                          false,
                          1,
                          columns,
                          terms});
            for (const auto form : available<Listed>()) {
                std::vector<float> found(columns + 32, 9.0f);
                form({found.data() + 16, initial, index.data(), values.data(), rows.data(), columns + 2,
                      static_cast<std::uint32_t>(index.size()), columns});
                CHECK(same_bits(found, expected));
            }
        }
    }
}

TEST_CASE("a transposing copy has every entry where it belongs and touches nothing else") {
    for (std::uint32_t rows = 0; rows <= 35; ++rows) {
        for (std::uint32_t columns = 0; columns <= 35; ++columns) {
            const std::vector<float> shared = TestNumbers(rows).vector<float>(rows * (columns + 1) + 1);
            std::vector<float> expected(columns * (rows + 2) + 16, 9.0f);
            for (std::uint32_t i = 0; i < rows; ++i) {
                for (std::uint32_t j = 0; j < columns; ++j)
                    expected[3 + j * (rows + 2) + i] = shared[1 + i * (columns + 1) + j];
            }
            for (const auto transpose : available<Transpose>()) {
                std::vector<float> found(expected.size(), 9.0f);
                transpose(found.data() + 3, shared.data() + 1, rows, columns);
                CHECK(same_bits(found, expected));
            }
        }
    }
}
