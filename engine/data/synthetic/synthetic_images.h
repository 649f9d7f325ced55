// Generated images for machines without MNIST: signs in several handwritings, somewhere, somehow, in noise.
//
// An image is a sign (engine/data/images/image_strokes.h) of a class, in a style drawn at random, seen from elsewhere.
// It is larger or smaller by up to 20 %, sheared by up to as much, and shifted by up to a tenth of the image. It has a
// brightness, or a colour, of its own. `noise` is how far a lit entry may lie from what it should be, as a share of
// full brightness. A tenth of `noise` is the share of dark places that are lit. All others are exact zeros: about four
// fifths, as of MNIST. Among as many neighbours as there are classes each has another, in random order.
//
// The same bits on every machine and at any number of threads: each image has its own Philox counters, and all else is IEEE
// arithmetic. Held-out images use a disjoint range of counters and the same signs.
#pragma once

#include "engine/data/images/image_arrays.h"

#include <cstdint>
#include <memory>
#include <string>

namespace hogwild {

struct ImagesRecipe {
    std::uint64_t rows = 60'000;
    std::uint32_t height = 28;
    std::uint32_t width = 28;
    std::uint32_t channels = 1;
    std::uint32_t classes = 10;
    double noise = 0.3;
    bool held_out = false; // a tenth as many images (rounded up), none of them in the training set
    std::uint64_t seed = 1;
};

/// Reads "synthetic:images" (MNIST's shape), "synthetic:images/10" (rows divided by 10), "synthetic:tiny",
/// "synthetic:rows=10000,height=32,width=32,channels=3,classes=10,noise=0.3,held-out", or a preset followed by such keys. `seed=`
/// in the name wins over the argument. Throws Error (Failure::kUsage) that names the known keys.
ImagesRecipe parse_synthetic_images(const std::string& name, std::uint64_t seed);

/// True for names that begin with that preset.
bool is_synthetic_images(const std::string& name);

/// Every field in a fixed order; two recipes generate the same bits if and only if these texts are equal.
std::string to_string(const ImagesRecipe& recipe);

/// Generates them in parallel. Throws Error (Failure::kUsage) for what does not fit into memory.
std::shared_ptr<ImagesArrays> generate(const ImagesRecipe& recipe);

} // namespace hogwild
