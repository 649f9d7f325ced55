// Losses of snapshots over text (contract in evaluate.h).
//
// The loss is the mean over kPositions positions, evenly spread over the text (all of a shorter one). Each has the
// window and the negatives that seed 0 draws for epoch 0 (TokensView::row). These windows are the same for every run
// and every snapshot, a text's words kept as often as in training. Products are summed in double in eight lanes, as
// over ratings. The scores are those of the input vectors (engine/record/word_scores.h); there is no regulariser.
#pragma once

#include "engine/machine/parallel.h"
#include "engine/record/evaluate.h"
#include "engine/record/word_scores.h"
#include "kernels/patterns/token_windows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hogwild {

inline constexpr std::uint64_t kPositions = 20'000;

/// The sum over the windows of positions number [begin, end) of `count`.
template <class Problem>
double window_losses(const TokensView& data, const float* weights, std::uint64_t begin, std::uint64_t end,
                     std::uint64_t count) {
    double sum = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
        const TokenWindow window = data.row(i * data.rows / count);
        TokenWindows::for_each_pair(window, [&](std::uint32_t input, std::uint32_t output, double label) {
            const float *x = weights + std::size_t{input} * window.dim, *y = weights + std::size_t{output} * window.dim;
            double lane[8] = {};
            for (std::uint32_t k = 0; k < window.dim; ++k) lane[k % 8] += double{x[k]} * double{y[k]};
            for (int width = 4; width > 0; width /= 2) {
                for (int l = 0; l < width; ++l) lane[l] += lane[l + width];
            }
            sum += Problem::value(lane[0], label);
        });
    }
    return sum;
}

template <class Problem>
Losses losses_of(const TokensView& data, const float* weights) {
    constexpr std::uint64_t kGrain =
        256; // positions per block: part of the result's definition, not of its speed alone
    const std::uint64_t count = std::min(data.rows, kPositions);
    const auto blocks = parallel_map<double>(count, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        return window_losses<Problem>(data, weights, begin, end, count);
    });
    double sum = 0;
    for (const double block : blocks) sum += block;
    Losses losses;
    losses.mean_loss = sum / static_cast<double>(count);
    losses.squared_norm = 0;
    // A weight that overflowed may lie outside these windows.
    if (!std::isfinite(squared_norm(weights, data.coordinates()))) {
        losses.mean_loss = std::numeric_limits<double>::infinity();
        return losses;
    }
    for (std::uint32_t s = 0; s < TokensView::kSets; ++s)
        losses.scores[s] = similarity_score(weights, data.model.dim, {data.pairs[s], data.pair_count[s]});
    losses.scores[TokensView::kSets] =
        analogy_accuracy(weights, data.words, data.model.dim, {data.analogies, data.analogy_count});
    return losses;
}

} // namespace hogwild
