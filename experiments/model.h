// A linear model: margin = weights . x. Above 0 it says the positive label, else the negative one; of real labels it is the
// prediction itself.
//
// As a file, in a format that the name's ending says:
//   .npy                 NumPy format 1.0, float32, one dimension: numpy.load(file)
//   .safetensors         one tensor `weights`, F32; problem and labels in its metadata
//   .model, .liblinear   text that liblinear's predict reads; its solver_type only says how the margins are read
// Files appear whole or not at all. Numbers survive writing and reading bit for bit; what others wrote in double is rounded.
//
// Thread-safety: pure functions but for the files. Errors: Error (Failure::kUsage) for an ending that is none of these,
// (Failure::kMissing) for a file that is absent, (Failure::kDisk) for one that cannot be written, else for what is no model:
// truncated, another format, weights that are not finite.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hogwild {

struct Model {
    std::vector<float> weights;
    std::string problem;      // empty: the file does not say
    bool real_labels = false; // the margin is the prediction
    bool has_labels = false;  // the file says them
    double positive = 1, negative = -1;
};

/// Throws early what save_model, or save_word_vectors (experiments/word_vectors.h), would for this name.
void check_model_file(const std::string& file);

void save_model(const std::string& file, const Model& model);

Model load_model(const std::string& file);

/// What is wrong with a file, in the grammar of all errors.
[[noreturn]] void refuse_model(const std::string& file, const std::string& why, const std::string& suggestion);

/// The place of the first weight that is not finite; weights.size() when all are.
std::size_t first_not_finite(std::span<const float> weights);

} // namespace hogwild
