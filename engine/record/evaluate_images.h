// Losses of snapshots over images (contract in evaluate.h).
//
// The loss is the mean over kImages images, evenly spread over the samples (all of fewer), of the cross-entropy of a network's
// scores. Nothing is dropped out. Scores are floats, as in training; losses are summed in double, image by image within blocks of
// fixed size, blocks in order. The score is the share of these images whose largest score, the first of equals, is not their
// class's.
#pragma once

#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"
#include "engine/record/evaluate.h"
#include "kernels/patterns/image_batches.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hogwild {

inline constexpr std::uint64_t kImages = 20'000;

struct ImageSums {
    double loss = 0;
    std::uint64_t wrong = 0;
};

/// Sums over images number [begin, end) of `count`; visit(image, scores, class) for each, the class being that of the largest score.
template <class Problem, class Lanes>
ImageSums image_sums(const ImagesView& data, const float* weights, std::uint64_t begin, std::uint64_t end,
                     std::uint64_t count, const auto& visit) {
    constexpr std::uint32_t kTogether = 32;
    const PageArray<float> scratch(kTogether * NetworkTape::size(data) + NetworkPass::windows(data));
    const NetworkPass pass(data, {}, scratch.data(), scratch.data() + kTogether * NetworkTape::size(data));
    ImageSums sums;
    std::uint32_t samples[kTogether];
    for (std::uint64_t i = begin; i < end; i += kTogether) {
        const auto together = static_cast<std::uint32_t>(std::min<std::uint64_t>(kTogether, end - i));
        for (std::uint32_t k = 0; k < together; ++k)
            samples[k] = static_cast<std::uint32_t>((i + k) * data.rows / count);
        pass.forward<Lanes>({samples, together, data.groups(), data.coordinates()}, weights);
        for (std::uint32_t k = 0; k < together; ++k) {
            const float* const scores = pass.tape().scores(k);
            const auto best = static_cast<std::uint32_t>(std::max_element(scores, scores + data.classes) - scores);
            sums.wrong += best != data.labels[samples[k]];
            sums.loss += ImageBatches::loss_of<Problem>(data, scores, samples[k]);
            visit(samples[k], scores, best);
        }
    }
    return sums;
}

/// Sums over `count` images, evenly spread over the samples, which are visited by any thread.
template <class Problem>
ImageSums image_sums(const ImagesView& data, const float* weights, std::uint64_t count, const auto& visit) {
    constexpr std::uint64_t kGrain = 512; // images per block: part of the result's definition, not of its speed alone
    const auto blocks = parallel_map<ImageSums>(count, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        switch (best_instruction_set()) { // all give the same bits
#if HOGWILD_VECTOR_LANES
        case InstructionSet::kAvx512: return image_sums<Problem, Avx512Lanes>(data, weights, begin, end, count, visit);
        case InstructionSet::kAvx2: return image_sums<Problem, Avx2Lanes>(data, weights, begin, end, count, visit);
#endif
        default: return image_sums<Problem, ScalarLanes>(data, weights, begin, end, count, visit);
        }
    });
    ImageSums all;
    for (const ImageSums& block : blocks) {
        all.loss += block.loss;
        all.wrong += block.wrong;
    }
    return all;
}

template <class Problem>
Losses losses_of(const ImagesView& data, const float* weights) {
    const std::uint64_t count = std::min(data.rows, kImages);
    const ImageSums all = image_sums<Problem>(data, weights, count, [](auto, auto, auto) {});
    Losses losses;
    losses.squared_norm = ImageBatches::squared_norm(data, weights);
    if (count == 0) return losses;
    losses.mean_loss = all.loss / static_cast<double>(count);
    losses.scores[0] = static_cast<double>(all.wrong) / static_cast<double>(count);
    // A weight that overflowed may lie behind units that are never active.
    if (!std::isfinite(squared_norm(weights, data.coordinates())) || !std::isfinite(losses.mean_loss))
        losses.mean_loss = std::numeric_limits<double>::infinity();
    return losses;
}

} // namespace hogwild
