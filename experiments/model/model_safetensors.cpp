// Source: the format's own description, github.com/huggingface/safetensors: eight bytes of the header's length, the header as
// JSON, the tensors.
#include "engine/data/sparse/labels.h"
#include "engine/numbers.h"
#include "experiments/model/model_formats.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace hogwild {
namespace {

constexpr const char* kMetadata = "__metadata__";
constexpr const char* kWeights = "weights";

/// The tensor `weights`, or the only one there is.
std::pair<std::string, Json> tensor_of(const Json& header, const std::string& file) {
    if (header.contains(kWeights)) return {kWeights, header.at(kWeights)};
    std::vector<std::string> names;
    for (const auto& [name, tensor] : header.items()) {
        if (name != kMetadata) names.push_back(name);
    }
    if (names.size() != 1) {
        refuse_model(file, fmt::format("it holds {} tensors, none called {}", names.size(), kWeights),
                     fmt::format("save one tensor, {}", kWeights));
    }
    return {names[0], header.at(names[0])};
}

void read_metadata(const Json& header, Model& model) {
    if (!header.contains(kMetadata)) return;
    const Json& data = header.at(kMetadata);
    model.problem = data.value("problem", "");
    model.real_labels = data.value("real_labels", "") == "true";
    model.network = data.value("network", "");
    model.images = data.value("images", "");
    model.labels = static_cast<std::uint32_t>(parse_count(data.value("classes", "")).value_or(0));
    const auto positive = parse_real(data.value("positive_label", "")),
               negative = parse_real(data.value("negative_label", ""));
    model.has_labels = positive && negative;
    if (!model.has_labels) return;
    model.positive = static_cast<float>(*positive); // as samples hold labels
    model.negative = static_cast<float>(*negative);
}

/// Its tensor as weights. Errors: nlohmann's exceptions for a header that is none.
Model read_header(const Json& header, std::string_view data, const std::string& file) {
    const auto [name, tensor] = tensor_of(header, file);
    const auto type = tensor.at("dtype").get<std::string>();
    if (type != "F32") refuse_model(file, fmt::format("its tensor {} is {}, not F32", name, type), "save it as F32");
    std::uint64_t count = 1;
    for (const Json& size : tensor.at("shape")) {
        const auto extent = size.get<std::uint64_t>();
        if (count != 1 && extent != 1) {
            refuse_model(file, fmt::format("its tensor {} is a matrix", name), "save one dimension");
        }
        count *= extent;
    }
    const auto begin = tensor.at("data_offsets").at(0).get<std::uint64_t>(),
               end = tensor.at("data_offsets").at(1).get<std::uint64_t>();
    if (begin > end || end > data.size() || (end - begin) % sizeof(float) != 0 ||
        (end - begin) / sizeof(float) != count) {
        refuse_model(file,
                     fmt::format("it holds {} bytes, its tensor {} of {} weights lies in [{}, {})", data.size(), name,
                                 count, begin, end),
                     "copy it again");
    }
    Model model;
    read_metadata(header, model);
    model.weights.resize(count);
    if (count > 0) std::memcpy(model.weights.data(), data.data() + begin, end - begin);
    return model;
}

} // namespace

std::string safetensors_bytes(const Model& model) {
    const std::uint64_t size = model.weights.size() * sizeof(float);
    Json metadata{{"problem", model.problem}, {"real_labels", model.real_labels ? "true" : "false"}};
    if (model.has_labels) {
        metadata["positive_label"] = label_text(model.positive);
        metadata["negative_label"] = label_text(model.negative);
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
    try {
        return read_header(json_of(rest.substr(0, length)), rest.substr(length), file);
    } catch (const Json::exception& error) {
        refuse_model(file, fmt::format("its header is not that of a .safetensors file: {}", error.what()),
                     "save it again");
    }
}

} // namespace hogwild
