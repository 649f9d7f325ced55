// A linear model: margin = weights . x. Above 0 it says the positive label, else the negative one; of real labels it is the
// prediction itself.
//
// As a file, in a format that the name's ending says:
//   .npy                 NumPy format 1.0, float32, one dimension: numpy.load(file); it does not say whose weights they are
//   .safetensors         one tensor `weights`, F32; problem and labels in its metadata, for a network its layers and
//                        images. Without a library: numpy.fromfile(file, "<f4", offset=8 + N), N the number in the
//                        first eight bytes
//   .model, .liblinear   text that liblinear's predict reads; its solver_type only says how the margins are read
//   .pgm                 of a cut, written only: the class of every free node as a grey pixel, class 0 white, the last one black
// Files are written where they lie, as NamedFile does (engine/data/files/named_file.h). Numbers survive writing and reading bit for bit; what others wrote in double is rounded.
//
// Thread-safety: pure functions but for the files. Errors: Error (Failure::kUsage) for an ending that is none of these,
// (Failure::kMissing) for a file that is absent, (Failure::kDisk) for one that cannot be written. Else Error for what
// is no model: truncated, another format, weights that are not finite.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hogwild {

struct ImageSize {
    std::uint64_t width = 0, height = 0;
};

struct Model {
    std::vector<float> weights;
    std::vector<std::uint16_t> classes; // of a cut: of the free nodes, in the file's order
    std::uint32_t class_count = 0;
    ImageSize image;          // of a cut that is one: width x height = free nodes
    std::string problem;      // empty: the file does not say
    std::string network;      // of one: its layers, as --network names them
    std::string images;       // of a network: "28x28x1", height, width and channels
    std::uint32_t labels = 0; // of a network: classes that its scores tell apart
    bool real_labels = false; // the margin is the prediction
    bool has_labels = false;  // the file says them
    double positive = 1, negative = -1;
    bool others = false; // every label but the positive one is the negative class; .safetensors alone says so
};

/// Throws early what save_model, or save_word_vectors (experiments/model/word_vectors.h), would for this name.
void check_model_file(const std::string& file);

void save_model(const std::string& file, const Model& model);

Model load_model(const std::string& file);

/// Whether such a file holds an image.
bool is_image(const std::string& file);

/// Whether such a file says of any weights that they are a linear model's.
bool is_linear_text(const std::string& file);

/// Reads "WxH". Throws Error (Failure::kUsage) for anything else.
ImageSize parse_image_size(const std::string& text);

/// The same, of so many nodes; of an empty text the square that so many nodes are. Throws Error (Failure::kUsage) for anything else.
ImageSize image_size(const std::string& text, std::uint64_t nodes);

/// What is wrong with a file, in the grammar of all errors.
[[noreturn]] void refuse_model(const std::string& file, const std::string& why, const std::string& suggestion);

/// The place of the first weight that is not finite; weights.size() when all are.
std::size_t first_not_finite(std::span<const float> weights);

} // namespace hogwild
