// A convolution with subsampling (kernels/network/stages/conv_pool.h) by plain loops in double, and inputs for it. For tests.
#pragma once

#include "engine/stages/conv_pool_stage.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace hogwild {

/// A batch of random images with weights and slopes.
struct ConvPoolProblem {
    ConvPoolShape shape;
    std::uint32_t dataset_images = 0;
    std::vector<std::uint8_t> dataset;
    std::vector<std::uint32_t> samples;
    std::vector<float> weights, pooled_slopes;
    float step_size = 0.25f;

    ConvPoolInput input() const { return {shape, dataset.data(), dataset_images, pooled_slopes.data(), weights}; }
};

/// Pixels of 0 and 1, weights and slopes that are small multiples of a power of two. Every sum is exact in float, in
/// any order, and many entries of a window are equal.
inline ConvPoolProblem exact_problem(const ConvPoolShape& shape, std::uint32_t seed = 1) {
    ConvPoolProblem problem;
    problem.shape = shape;
    problem.dataset_images = shape.images + 3;
    std::mt19937 random(seed);
    const auto whole = [&](int most) { return static_cast<float>(static_cast<int>(random() % (2 * most + 1)) - most); };
    for (std::uint32_t k = 0; k < problem.dataset_images * shape.image_size(); ++k)
        problem.dataset.push_back(random() % 2 == 0 ? 0 : 255);
    for (std::uint32_t i = 0; i < shape.images; ++i) problem.samples.push_back(random() % problem.dataset_images);
    for (std::uint32_t k = 0; k < shape.weights(); ++k) problem.weights.push_back(whole(3) / 8);
    for (std::uint32_t k = 0; k < shape.images * shape.pooled_size(); ++k)
        problem.pooled_slopes.push_back(whole(4) / 16);
    return problem;
}

/// Bytes and real numbers as those of training are; half of the bytes are black.
inline ConvPoolProblem real_problem(const ConvPoolShape& shape, std::uint32_t seed = 1) {
    ConvPoolProblem problem = exact_problem(shape, seed);
    std::mt19937 random(seed + 1);
    const auto real = [&] { return static_cast<float>(static_cast<double>(random()) * 0x1p-31 - 1); };
    for (std::uint8_t& byte : problem.dataset) byte = random() % 2 == 0 ? 0 : static_cast<std::uint8_t>(random());
    for (float& weight : problem.weights) weight = real();
    for (float& slope : problem.pooled_slopes) slope = real();
    return problem;
}

/// A sum and that of its terms' magnitudes, which bounds what rounding does to it.
struct BoundedSum {
    double value = 0, magnitude = 0;

    void add(double term) {
        value += term;
        magnitude += std::abs(term);
    }

    /// The error of `roundings` in a row, each of half a unit in the last place of a partial sum. The 1.01 is for the
    // products of those.
    double bound(double roundings) const { return 1.01 * roundings * 0x1p-24 * magnitude; }
};

/// What a step must leave, as in kernels/network/stages/conv_pool.h.
struct ConvPoolReference {
    std::vector<BoundedSum> pooled, input_slopes, gradient;
    double narrowest =
        INFINITY; // how far the winner of a window is above others that differ from it, over the bound of both
};

inline ConvPoolReference conv_pool_reference(const ConvPoolProblem& problem) {
    const ConvPoolShape& s = problem.shape;
    ConvPoolReference reference;
    reference.gradient.resize(s.weights());
    reference.input_slopes.resize(s.input_slopes ? s.images * s.image_size() : 0);
    // visit(entry of the image, row of the weights) for every entry of the window of a place that is none of the zeros around.
    const auto window = [&](std::uint32_t y, std::uint32_t x, const auto& visit) {
        for (std::uint32_t ky = 0; ky < s.kernel; ++ky) {
            for (std::uint32_t kx = 0; kx < s.kernel; ++kx) {
                const std::uint32_t at_y = y + ky - s.padding, at_x = x + kx - s.padding; // wraps below 0
                if (at_y >= s.height || at_x >= s.width) continue;
                for (std::uint32_t c = 0; c < s.channels; ++c)
                    visit((at_y * s.width + at_x) * s.channels + c, (ky * s.kernel + kx) * s.channels + c);
            }
        }
    };
    for (std::uint32_t i = 0; i < s.images; ++i) {
        const std::uint8_t* const image = problem.dataset.data() + problem.samples[i] * s.image_size();
        const auto pixel = [&](std::uint32_t k) { return double{static_cast<float>(image[k]) * (1.0f / 255.0f)}; };
        const float* slopes = problem.pooled_slopes.data() + i * s.pooled_size();
        for (std::uint32_t y = 0; y < s.pooled_height(); ++y) {
            for (std::uint32_t x = 0; x < s.pooled_width(); ++x) {
                for (std::uint32_t f = 0; f < s.filters; ++f) {
                    std::vector<BoundedSum> places(s.pool * s.pool);
                    std::uint32_t winner = 0;
                    for (std::uint32_t q = 0; q < places.size(); ++q) {
                        places[q].add(problem.weights[s.depth() * s.filters + f]);
                        window(y * s.pool + q / s.pool, x * s.pool + q % s.pool,
                               [&](std::uint32_t k, std::uint32_t row) {
                                   places[q].add(pixel(k) * problem.weights[row * s.filters + f]);
                               });
                        if (places[q].value > places[winner].value) winner = q;
                    }
                    BoundedSum best = places[winner];
                    for (const BoundedSum& other : places) {
                        const double apart = best.value - other.value, bound = other.bound(2 * s.depth());
                        if (apart > 0) reference.narrowest = std::min(reference.narrowest, apart / bound);
                    }
                    reference.narrowest = best.value == 0 ? reference.narrowest
                                                          : std::min(reference.narrowest,
                                                                     std::abs(best.value) / best.bound(2 * s.depth()));
                    const double slope = best.value > 0 ? *slopes : 0;
                    ++slopes;
                    best.value = std::max(best.value, 0.0);
                    reference.pooled.push_back(best);
                    window(y * s.pool + winner / s.pool, x * s.pool + winner % s.pool,
                           [&](std::uint32_t k, std::uint32_t row) {
                               reference.gradient[row * s.filters + f].add(pixel(k) * slope);
                               if (s.input_slopes)
                                   reference.input_slopes[i * s.image_size() + k].add(
                                       slope * problem.weights[row * s.filters + f]);
                           });
                    reference.gradient[s.depth() * s.filters + f].add(slope);
                }
            }
        }
    }
    return reference;
}

} // namespace hogwild
