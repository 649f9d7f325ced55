// Images drawn at random, mostly black as those of digits are, with a network for them. For tests.
#pragma once

#include "kernels/network/bound_images.h"

#include <cstdint>
#include <random>
#include <vector>

namespace hogwild {

struct RandomImages {
    std::vector<std::uint8_t> pixels, labels;
    MapShape shape;
    std::uint32_t classes;

    RandomImages(std::uint32_t rows, const MapShape& shape, std::uint32_t classes, std::uint32_t seed = 1)
        : shape(shape), classes(classes) {
        std::mt19937 random(seed);
        for (std::uint32_t k = 0; k < rows * shape.size(); ++k)
            pixels.push_back(random() % 2 == 0 ? 0 : static_cast<std::uint8_t>(random()));
        for (std::uint32_t i = 0; i < rows; ++i) labels.push_back(static_cast<std::uint8_t>(random() % classes));
    }

    ImagesView view() const {
        ImagesView view;
        view.pixels = pixels.data();
        view.labels = labels.data();
        view.rows = labels.size();
        view.shape = shape;
        view.classes = classes;
        return view;
    }
    /// For that network, which it borrows.
    ImagesView view(const NetworkShape& network) const { return view().bound_to(network); }
};

} // namespace hogwild
