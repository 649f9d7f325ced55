#include "engine/record/word_scores.h"

#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"
#include "engine/record/outcome.h"
#include "kernels/lanes/dispatch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace hogwild {
namespace {

/// 1, 2, ... by rising value; equal values share the mean of theirs.
std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
        for (end = begin + 1; end < order.size() && values[order[end]] == values[order[begin]];) ++end;
        const double mean = static_cast<double>(begin + 1 + end) / 2;
        for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = mean;
    }
    return ranks;
}

double dot(const float* a, const float* b, std::uint32_t dim) {
    double sum = 0;
    for (std::uint32_t k = 0; k < dim; ++k) sum += double{a[k]} * double{b[k]};
    return sum;
}

double cosine(const float* a, const float* b, std::uint32_t dim) {
    const double squares = dot(a, a, dim) * dot(b, b, dim);
    return squares > 0 ? dot(a, b, dim) / std::sqrt(squares) : 0;
}

struct ProductsBody {
    template <class Lanes>
    static void run(const float* left, std::uint32_t left_rows, const float* right, std::uint32_t right_rows,
                    std::uint32_t stride, float* out) {
        Lanes::products(left, left_rows, right, right_rows, stride, out);
    }
};

auto fastest_products() {
    using On = OnLanes<ProductsBody, const float*, std::uint32_t, const float*, std::uint32_t, std::uint32_t, float*>;
    const InstructionSet best = best_instruction_set();
    return best == InstructionSet::kAvx512 ? On::avx512 : best == InstructionSet::kAvx2 ? On::avx2 : On::scalar;
}

/// Own rows (kernels/lanes/scalar.h) of length 1.
PageArray<float> unit_rows(const float* vectors, std::uint32_t words, std::uint32_t dim) {
    const std::uint32_t stride = own_stride(dim);
    PageArray<float> rows(std::size_t{words} * stride);
    parallel_for(words, 1024, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t w = begin; w < end; ++w) {
            const float* const vector = vectors + w * dim;
            const double norm = std::sqrt(dot(vector, vector, dim));
            for (std::uint32_t k = 0; k < dim; ++k)
                rows[w * stride + k] = norm > 0 ? static_cast<float>(vector[k] / norm) : 0.0f;
        }
    });
    return rows;
}

/// The best answer so far.
struct Answer {
    float score = -INFINITY;
    std::uint32_t word = ~0u;
};

} // namespace

double spearman(std::span<const double> a, std::span<const double> b) {
    const std::vector<double> x = ranks(a), y = ranks(b);
    const double mean = static_cast<double>(a.size() + 1) / 2;
    double products = 0, squares_x = 0, squares_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        products += (x[i] - mean) * (y[i] - mean);
        squares_x += (x[i] - mean) * (x[i] - mean);
        squares_y += (y[i] - mean) * (y[i] - mean);
    }
    return squares_x > 0 && squares_y > 0 ? products / std::sqrt(squares_x * squares_y) : kNone;
}

double similarity_score(const float* vectors, std::uint32_t dim, std::span<const WordPair> pairs) {
    std::vector<double> ours, theirs;
    for (const WordPair& pair : pairs) {
        ours.push_back(cosine(vectors + std::size_t{pair.a} * dim, vectors + std::size_t{pair.b} * dim, dim));
        theirs.push_back(double{pair.score});
    }
    return spearman(ours, theirs);
}

double analogy_accuracy(const float* vectors, std::uint32_t words, std::uint32_t dim,
                        std::span<const Analogy> questions) {
    if (questions.empty()) return kNone;
    constexpr std::uint32_t kBlock = 1024; // words whose products with all asked ones are at hand
    const std::uint32_t stride = own_stride(dim);
    const PageArray<float> rows = unit_rows(vectors, words, dim);
    std::vector<std::uint32_t> asked;
    for (const Analogy& q : questions) asked.insert(asked.end(), {q.a, q.b, q.c});
    std::ranges::sort(asked);
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    const auto place = [&](std::uint32_t word) {
        return static_cast<std::size_t>(std::ranges::lower_bound(asked, word) - asked.begin());
    };
    static const auto products = fastest_products();
    const PageArray<float> table(asked.size() * kBlock); // of asked word i with the block's words, one behind the other
    std::vector<Answer> answers(questions.size());
    for (std::uint32_t first = 0; first < words; first += kBlock) {
        const std::uint32_t count = std::min(kBlock, words - first);
        parallel_for(asked.size(), 16, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t i = begin; i < end; ++i) {
                products(rows.data() + std::size_t{first} * stride, count, rows.data() + std::size_t{asked[i]} * stride,
                         1, stride, table.data() + i * kBlock);
            }
        });
        parallel_for(questions.size(), 64, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t q = begin; q < end; ++q) {
                const Analogy& of = questions[q];
                const float *a = table.data() + place(of.a) * kBlock, *b = table.data() + place(of.b) * kBlock,
                            *c = table.data() + place(of.c) * kBlock;
                for (std::uint32_t w = 0; w < count; ++w) {
                    const float score = (b[w] - a[w]) + c[w];
                    const std::uint32_t word = first + w;
                    if (score > answers[q].score && word != of.a && word != of.b && word != of.c)
                        answers[q] = {score, word};
                }
            }
        });
    }
    std::uint64_t right = 0;
    for (std::size_t q = 0; q < questions.size(); ++q) right += answers[q].word == questions[q].d ? 1 : 0;
    return static_cast<double>(right) / static_cast<double>(questions.size());
}

} // namespace hogwild
