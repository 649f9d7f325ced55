#include "engine/record/evaluate.h"

#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"
#include "engine/optimum/known_problem.h"
#include "engine/record/evaluate_block.h"
#include "engine/record/evaluate_edges.h"
#include "engine/record/evaluate_images.h"
#include "engine/record/evaluate_pairs.h"
#include "engine/record/evaluate_tokens.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hogwild {
namespace {

constexpr std::uint64_t kRowGrain = 512;     // rows per block: part of the result's definition, not of its speed alone
constexpr std::uint64_t kColumnGrain = 4096; // columns per block of a norm: part of the result's definition too

/// Writes interleaved[Width * j + k] = snapshots[k][j]; returns the squared norms.
template <int Width, class Weight>
std::array<double, Width> interleave(const Weight* const* snapshots, std::uint64_t columns, Weight* interleaved) {
    using Norms = std::array<double, Width>;
    const auto blocks = parallel_map<Norms>(columns, kColumnGrain, [&](std::uint64_t begin, std::uint64_t end) {
        Norms norms{};
        for (std::uint64_t j = begin; j < end; ++j) {
            for (int k = 0; k < Width; ++k) {
                const Weight weight = snapshots[k][j];
                interleaved[Width * j + k] = weight;
                norms[k] += static_cast<double>(weight) * static_cast<double>(weight);
            }
        }
        return norms;
    });
    Norms total{};
    for (const Norms& block : blocks) {
        for (int k = 0; k < Width; ++k) total[k] += block[k];
    }
    return total;
}

/// One traversal of the samples for Width snapshots.
template <class Problem, int Width, class Weight>
void evaluate_together(const SparseView& data, bool signs, const Weight* const* snapshots, Weight* interleaved,
                       Losses* losses) {
    const std::array<double, Width> norms = interleave<Width>(snapshots, data.columns, interleaved);
    const auto add_block = block_function<Problem, Width, Weight>();
    const auto blocks =
        parallel_map<BlockSums<Width>>(data.rows, kRowGrain, [&](std::uint64_t begin, std::uint64_t end) {
            BlockSums<Width> sums;
            add_block(data, interleaved, begin, end, sums);
            return sums;
        });
    const auto rows = static_cast<double>(data.rows);
    for (int k = 0; k < Width; ++k) {
        double loss = 0;
        std::uint64_t wrong = 0;
        for (const BlockSums<Width>& block : blocks) {
            loss += block.loss[k];
            wrong += block.wrong[k];
        }
        // A coordinate that overflowed may lie outside these samples, or hide behind a hinge that is satisfied.
        losses[k].mean_loss = std::isfinite(norms[k]) ? loss / rows : std::numeric_limits<double>::infinity();
        losses[k].scores[0] = signs ? static_cast<double>(wrong) / rows : kNone;
        losses[k].squared_norm = norms[k];
    }
}

template <class Problem>
std::vector<Losses> losses_of(const SparseView& data, std::span<const float* const> snapshots) {
    std::vector<Losses> losses(snapshots.size());
    const bool signs = labels_are_signs(data);
    const std::size_t widest = snapshots.size() >= 16 ? 16 : snapshots.size() >= 4 ? 4 : 1;
    const PageArray<float> interleaved(widest * data.columns);
    std::size_t k = 0;
    for (; k + 16 <= losses.size(); k += 16) {
        evaluate_together<Problem, 16>(data, signs, &snapshots[k], interleaved.data(), &losses[k]);
    }
    for (; k + 4 <= losses.size(); k += 4) {
        evaluate_together<Problem, 4>(data, signs, &snapshots[k], interleaved.data(), &losses[k]);
    }
    for (; k < losses.size(); ++k) {
        evaluate_together<Problem, 1>(data, signs, &snapshots[k], interleaved.data(), &losses[k]);
    }
    return losses;
}

/// One after the other, of views without a form for several.
template <class Problem, class View>
std::vector<Losses> losses_of(const View& data, std::span<const float* const> snapshots) {
    std::vector<Losses> losses;
    for (const float* snapshot : snapshots) losses.push_back(losses_of<Problem>(data, snapshot));
    return losses;
}

/// The sum of term(weight) over all weights.
double sum_over(const float* weights, std::uint32_t columns, const auto& term) {
    const auto blocks = parallel_map<double>(columns, kColumnGrain, [&](std::uint64_t begin, std::uint64_t end) {
        double sum = 0;
        for (std::uint64_t j = begin; j < end; ++j) sum += term(static_cast<double>(weights[j]));
        return sum;
    });
    return std::accumulate(blocks.begin(), blocks.end(), 0.0);
}

} // namespace

bool labels_are_signs(const SparseView& data) {
    const std::vector<char> blocks =
        parallel_map<char>(data.rows, 1 << 16, [&](std::uint64_t begin, std::uint64_t end) {
            return std::all_of(data.labels + begin, data.labels + end, [](float y) { return y == 1.0f || y == -1.0f; });
        });
    return std::find(blocks.begin(), blocks.end(), 0) == blocks.end();
}

double squared_norm(const float* weights, std::uint32_t columns) {
    return sum_over(weights, columns, [](double weight) { return weight * weight; });
}

double absolute_norm(const float* weights, std::uint32_t columns) {
    return sum_over(weights, columns, [](double weight) { return std::abs(weight); });
}

std::vector<Losses> evaluate(std::string_view problem, const AnyView& data, std::span<const float* const> snapshots) {
    return with_known_problem(problem, [&]<class Problem>(Problem) {
        if (data.rows() == 0 || snapshots.empty()) return std::vector<Losses>(snapshots.size());
        return losses_of<Problem>(data.as<typename Problem::Pattern::View>(), snapshots);
    });
}

Losses evaluate(std::string_view problem, const SparseView& data, std::span<const double> weights) {
    return with_known_linear_problem(problem, [&]<class Problem>(Problem) {
        Losses losses;
        if (data.rows == 0) return losses;
        const PageArray<double> copy(data.columns);
        const double* snapshot = weights.data();
        evaluate_together<Problem, 1>(data, labels_are_signs(data), &snapshot, copy.data(), &losses);
        return losses;
    });
}

} // namespace hogwild
