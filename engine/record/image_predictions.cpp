#include "engine/record/image_predictions.h"

#include "engine/record/evaluate_images.h"
#include "kernels/problems/network.h"

#include <algorithm>

namespace hogwild {

ImagePredictions image_predictions(const ImagesView& data, std::span<const float> weights) {
    ImagePredictions all;
    all.scores.resize(data.rows * data.classes);
    all.classes.resize(data.rows);
    const auto keep = [&](std::uint64_t image, const float* scores, std::uint32_t best) {
        std::copy_n(scores, data.classes, &all.scores[image * data.classes]);
        all.classes[image] = best;
    };
    const ImageSums sums = image_sums<Network>(data, weights.data(), data.rows, keep);
    all.right = data.rows - sums.wrong;
    all.mean_loss = data.rows == 0 ? 0 : sums.loss / static_cast<double>(data.rows);
    return all;
}

} // namespace hogwild
