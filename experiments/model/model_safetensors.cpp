// Source: the format's own description, github.com/huggingface/safetensors: eight bytes of the header's length, the header as
// JSON, the tensors.
#include "engine/data/sparse/labels.h"
#include "engine/numbers.h"
#include "experiments/files/record_fields.h"
#include "experiments/model/model_formats.h"
#include "experiments/model/tensor_places.h"
#include "experiments/text/json.h"
#include "experiments/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace hogwild {
namespace {

constexpr const char* kMetadata = "__metadata__";
constexpr std::string_view kWeights = "weights";
constexpr std::uint64_t kMostHeader = 100'000'000; // bytes, as the format's own library has it

/// The tensor `weights`, or the only one there is.
const TensorPlace& tensor_of(const std::vector<TensorPlace>& tensors, const std::string& file) {
    const auto weights = std::ranges::find(tensors, kWeights, &TensorPlace::name);
    const auto is_bias = [](const TensorPlace& each) { return each.name.find("bias") != std::string::npos; };
    if (tensors.size() > 1 && std::ranges::any_of(tensors, is_bias))
        refuse_model(file, "it has a bias", "train without one, or add a column of ones to the samples");
    if (weights != tensors.end()) return *weights;
    if (tensors.size() != 1) {
        refuse_model(file, fmt::format("it holds {} tensors, none called {}", tensors.size(), kWeights),
                     fmt::format("save one tensor, {}", kWeights));
    }
    return tensors[0];
}

/// A text of the metadata; empty where there is none. What is shown to people holds no control characters.
std::string told(const Json& metadata, const char* name) {
    if (!metadata.contains(name)) return "";
    const std::string text = text_field(metadata, name);
    if (printable(text) != text) throw OddRecord(fmt::format("'{}' of its metadata holds control characters", name));
    return text;
}

void read_metadata(const Json& header, Model& model) {
    if (!header.contains(kMetadata)) return;
    const Json& data = object_field(header, kMetadata);
    model.problem = told(data, "problem");
    const std::string real = told(data, "real_labels");
    if (!real.empty() && real != "true" && real != "false")
        throw OddRecord(fmt::format("'real_labels' of its metadata is '{}', neither true nor false", real));
    model.real_labels = real == "true";
    model.network = told(data, "network");
    model.images = told(data, "images");
    const std::uint64_t classes = parse_count(told(data, "classes")).value_or(0);
    if (classes > std::numeric_limits<std::uint32_t>::max())
        throw OddRecord(fmt::format("its metadata say that it tells {} classes apart", classes));
    model.labels = static_cast<std::uint32_t>(classes);
    const std::string first = told(data, "positive_label"), second = told(data, "negative_label"),
                      others = told(data, "other_labels");
    if (!others.empty() && others != "negative")
        throw OddRecord(fmt::format("'other_labels' of its metadata is '{}', not negative", others));
    if (first.empty() && second.empty()) return;
    const auto positive = parse_label(first), negative = parse_label(second);
    if (!positive || !negative)
        throw OddRecord(fmt::format("the labels of its metadata, '{}' and '{}', are no two numbers", first, second));
    model.has_labels = true;
    model.positive = *positive;
    model.negative = *negative;
    model.others = !others.empty();
}

/// Its tensor as weights. Throws OddRecord.
Model read_header(const Json& header, std::string_view data, const std::string& file) {
    const std::vector<TensorPlace> tensors = tensor_places(header, data.size());
    const TensorPlace& tensor = tensor_of(tensors, file);
    const std::string name = tensor.name.substr(0, 40);
    if (tensor.type != "F32")
        refuse_model(file, fmt::format("its tensor {} is {}, not F32", name, tensor.type.substr(0, 40)),
                     "save it as F32");
    std::uint64_t count = 1;
    for (const std::uint64_t extent : tensor.shape) {
        if (count != 1 && extent != 1)
            refuse_model(file, fmt::format("its tensor {} is a matrix", name), "save one dimension");
        count *= extent;
    }
    const std::uint64_t bytes = tensor.end - tensor.begin;
    if (bytes % sizeof(float) != 0 || bytes / sizeof(float) != count) {
        refuse_model(file,
                     fmt::format("it holds {} bytes, its tensor {} of {} weights lies in [{}, {})", data.size(), name,
                                 count, tensor.begin, tensor.end),
                     "copy it again");
    }
    Model model;
    read_metadata(header, model);
    model.weights.resize(count);
    if (count > 0) std::memcpy(model.weights.data(), data.data() + tensor.begin, bytes);
    return model;
}

} // namespace

std::string safetensors_bytes(const Model& model) {
    const std::uint64_t size = model.weights.size() * sizeof(float);
    Json metadata{{"problem", model.problem}, {"real_labels", model.real_labels ? "true" : "false"}};
    if (model.has_labels) {
        metadata["positive_label"] = label_text(model.positive);
        metadata["negative_label"] = label_text(model.negative);
        if (model.others) metadata["other_labels"] = "negative";
    }
    if (!model.network.empty()) {
        metadata["network"] = model.network;
        metadata["images"] = model.images;
        metadata["classes"] = fmt::format("{}", model.labels);
    }
    const Json header{{kMetadata, metadata},
                      {kWeights, {{"dtype", "F32"}, {"shape", {model.weights.size()}}, {"data_offsets", {0, size}}}}};
    std::string text = json_text(header);
    text.append((8 - text.size() % 8) % 8, ' '); // tensors begin at a multiple of 8
    const std::uint64_t length = text.size();
    std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
    bytes += text;
    bytes.append(reinterpret_cast<const char*>(model.weights.data()), size);
    return bytes;
}

Model read_safetensors(std::string_view bytes, const std::string& file) {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) refuse_model(file, "it ends within its first 8 bytes", "copy it again");
    std::memcpy(&length, bytes.data(), sizeof length);
    const std::string_view rest = bytes.substr(sizeof length);
    if (length > rest.size()) {
        refuse_model(file, fmt::format("its header should have {} bytes, {} are there", length, rest.size()),
                     "see whether it is a .safetensors file, or copy it again");
    }
    if (length > kMostHeader)
        refuse_model(file, fmt::format("its header has {} bytes, {} at most are read", length, kMostHeader),
                     "save it again, with fewer tensors");
    try {
        return read_header(json_of(rest.substr(0, length)), rest.substr(length), file);
    } catch (const Json::exception&) {
        refuse_model(file, "its header is not that of a .safetensors file: it is no JSON, or nested too deep",
                     "save it again");
    } catch (const OddRecord& odd) {
        refuse_model(file, odd.what(), "save it again, or copy it again");
    }
}

} // namespace hogwild
