// Small runs over images for the laws of schemes.
#pragma once

#include "engine/plan/plan.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/random_images.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace hogwild {

struct ImagesStorage : DatasetStorage {
    RandomImages images;

    explicit ImagesStorage(RandomImages from) : images(std::move(from)) {}
};

inline Dataset images_dataset(RandomImages images) {
    auto storage = std::make_shared<ImagesStorage>(std::move(images));
    const ImagesView view = storage->images.view();
    return {"images", 1, view, storage};
}

/// By default no number of batches.
inline Dataset few_images(std::uint32_t rows = 103) { return images_dataset(RandomImages(rows, {8, 8, 1}, 4)); }

inline Plan images_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = toy_plan(scheme, threads);
    plan.problem = "network";
    plan.network.layers = "conv 3 3 relu; maxpool 2; dense 8 tanh; dropout 0.2; dense 4";
    plan.batch.size = 5;
    plan.l2 = 0;
    plan.step.size = 0.05;
    return plan;
}

/// Images of class c have a bright c-th quarter of the lines: what a network tells apart at once.
inline RandomImages bright_lines(std::uint32_t rows) {
    RandomImages images(rows, {8, 8, 1}, 4);
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t k = 0; k < 64; ++k) {
            std::uint8_t& pixel = images.pixels[i * 64 + k];
            pixel = static_cast<std::uint8_t>(pixel / 4 + (k / 16 == images.labels[i] ? 128 : 0));
        }
    }
    return images;
}

} // namespace hogwild
