#include "experiments/model/model.h"

#include "engine/called.h"
#include "engine/data/files/mapped_file.h"
#include "engine/data/files/named_file.h"
#include "engine/data/sparse/labels.h"
#include "engine/error.h"
#include "experiments/model/model_formats.h"
#include "experiments/model/word_vectors.h"
#include "experiments/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

namespace hogwild {
namespace {

static_assert(std::endian::native == std::endian::little,
              ".npy and .safetensors hold the bytes of floats as they lie here");

struct Format {
    const char* ending;
    std::string (*bytes)(const Model&);
    Model (*read)(std::string_view, const std::string&);
};

constexpr Format kFormats[] = {{".npy", npy_bytes, read_npy},
                               {".safetensors", safetensors_bytes, read_safetensors},
                               {".model", liblinear_text, read_liblinear},
                               {".liblinear", liblinear_text, read_liblinear},
                               {".pgm", pgm_bytes, read_pgm}};

const Format& format_of(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension();
    for (const Format& format : kFormats) {
        if (format.ending == ending) return format;
    }
    throw Error(Failure::kUsage, "no format for a model is known for " + file, "its ending says none",
                "end it with .npy, .safetensors, .model (liblinear's text), .pgm (the image of a cut), or, of words' "
                "vectors, .bin or .txt");
}

} // namespace

void refuse_model(const std::string& file, const std::string& why, const std::string& suggestion) {
    throw Error(file + " is no model that can be used", printable(why), suggestion);
}

std::size_t first_not_finite(std::span<const float> weights) {
    const auto found = std::ranges::find_if(weights, [](float weight) { return !std::isfinite(weight); });
    return static_cast<std::size_t>(found - weights.begin());
}

void check_model_file(const std::string& file) {
    if (!holds_words(file)) format_of(file);
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder)) {
        throw Error(Failure::kDisk, "cannot write " + file, "there is no folder " + folder.string(),
                    "make it, or choose another");
    }
    check_named_file(file);
}

bool is_image(const std::string& file) { return std::filesystem::path(file).extension() == ".pgm"; }

bool is_linear_text(const std::string& file) { return format_of(file).bytes == liblinear_text; }

void save_model(const std::string& file, const Model& model) {
    const Format& format = format_of(file);
    NamedFile whole(file);
    whole.write(format.bytes(model));
    whole.commit();
}

Model load_model(const std::string& file) {
    if (holds_words(file)) {
        throw Error(Failure::kUsage, file + " is no model that predicts", "its ending is that of word vectors",
                    fmt::format("score them with {} similarity --model {} --pairs FILE", called(), file));
    }
    const Format& format = format_of(file);
    const MappedFile mapped(file);
    Model model = format.read(mapped.text(), file);
    if (model.weights.empty())
        refuse_model(file, "it holds no weights", fmt::format("save one with {} run --save", called()));
    if (const std::size_t at = first_not_finite(model.weights); at < model.weights.size()) {
        refuse_model(file, fmt::format("weight {} of {} is {}", at + 1, model.weights.size(), model.weights[at]),
                     "train again with a smaller step");
    }
    if (model.has_labels && model.positive == model.negative) {
        refuse_model(file, fmt::format("both of its classes are {}", label_text(model.positive)),
                     "save it anew from samples of two classes");
    }
    return model;
}

} // namespace hogwild
