// What a network says of every image: the classes' scores, and the class of the largest, the first of equals.
//
// Scores are those of engine/record/evaluate.h, bit for bit, at any number of threads: floats, as in training, with nothing dropped
// out. Loss and errors are of all images, and so those of evaluate.h where these are no more than it looks at.
// Thread-safety: any number of calls at once. Memory: classes x 4 bytes an image. Errors: none.
#pragma once

#include "kernels/views/images_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

struct ImagePredictions {
    std::vector<float> scores;          // image by image, data.classes of each
    std::vector<std::uint32_t> classes; // of each image
    std::uint64_t right = 0;            // images of that class indeed
    double mean_loss = 0;               // softmax cross-entropy (kernels/problems/network.h)
};

/// `data`: with their network (engine/run.h: bound), of data.coordinates() weights.
ImagePredictions image_predictions(const ImagesView& data, std::span<const float> weights);

} // namespace hogwild
