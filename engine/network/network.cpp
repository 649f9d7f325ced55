#include "engine/network/network.h"

#include "engine/error.h"
#include "engine/nearest.h"
#include "engine/numbers.h"
#include "kernels/network/layers/kinds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

constexpr NamedNetwork kNamed[] = {
    {"lenet", "conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu; dense {classes}"},
    {"cnn-32-64", "conv 32 3 pad 1 relu; maxpool 2; conv 64 3 pad 1 relu; maxpool 2; dense 128 relu; dense {classes}"},
    {"fcn-r", "dense 2048 sigmoid; dense 4096 sigmoid; dense 1024 sigmoid; dense 10", 784},
};
constexpr std::uint32_t kMostUnits = 1u << 20;
constexpr std::string_view kBlanks = " \t\r", kLayerEnds = ";\n";
constexpr std::uint64_t kMostWeights = std::numeric_limits<std::int32_t>::max();

constexpr auto kNames = [] {
    std::array<std::string_view, std::size(kNamed)> names{};
    std::ranges::transform(kNamed, names.begin(), &NamedNetwork::name);
    return names;
}();

std::vector<std::string> kinds() {
    std::vector<std::string> all;
    for (const LayerForm& each : kLayerForms) {
        if (!each.form.empty()) all.emplace_back(each.name);
    }
    return all;
}

/// The kind of layers of that name that may be written; none: no such layer is known.
std::optional<LayerKind> kind_of(std::string_view name) {
    for (std::size_t k = 0; k < kLayerForms.size(); ++k) {
        if (kLayerForms[k].name == name && !kLayerForms[k].form.empty()) return static_cast<LayerKind>(k);
    }
    return {};
}

const LayerForm& form_of(LayerKind kind) { return kLayerForms[static_cast<std::size_t>(kind)]; }

/// The network of that name; null: none has it.
const NamedNetwork* network_named(std::string_view name) {
    const auto* const at = std::ranges::find(kNamed, name, &NamedNetwork::name);
    return at == std::end(kNamed) ? nullptr : at;
}

/// What may have been meant by a word that is no layer: "did you mean lenet? "; empty: nothing is like it.
std::string meant(std::string_view word) {
    if (network_named(word) != nullptr || word.starts_with("mlp-"))
        return fmt::format("{} is a network, which stands alone; ", word);
    std::vector<std::string> known = kinds();
    known.insert(known.end(), kNames.begin(), kNames.end());
    const std::string near = nearest(word, known);
    return near.empty() ? "" : fmt::format("did you mean {}? ", near);
}

[[noreturn]] void refuse(const std::string& what, const std::string& why, const std::string& suggestion) {
    throw Error(Failure::kUsage, "network: " + what, why, suggestion);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::optional<std::uint32_t> whole(std::string_view word) {
    const auto value = parse_count(word);
    if (!value || *value > std::numeric_limits<std::uint32_t>::max()) return {};
    return static_cast<std::uint32_t>(*value);
}

std::optional<Activation> activation_of(std::string_view word) {
    if (word == "relu") return Activation::kRelu;
    if (word == "tanh") return Activation::kTanh;
    if (word == "sigmoid") return Activation::kSigmoid;
    return {};
}

/// One layer of a line, its words read one by one. `typed`: what a user knows it by.
class Words {
public:
    Words(std::string_view layer, std::string_view typed)
        : typed_(typed.substr(std::min(typed.find_first_not_of(kBlanks), typed.size()))),
          words_(split(layer, kBlanks)) {}

    bool empty() const { return at_ == words_.size(); }
    std::string_view next() { return empty() ? std::string_view{} : words_[at_++]; }

    bool takes(std::string_view word) {
        if (empty() || words_[at_] != word) return false;
        ++at_;
        return true;
    }

    std::uint32_t number(std::string_view what, std::uint32_t least = 1) {
        const std::string_view word = next();
        const auto value = whole(word);
        if (!value || *value < least || *value > kMostUnits) {
            refuse(fmt::format("'{}' needs {}", typed_, what),
                   word.empty() ? "nothing follows"
                                : fmt::format("'{}' is no number from {} to {}", word, least, kMostUnits),
                   fmt::format("write it like {}, and ';' between layers", form().example));
        }
        return *value;
    }

    Activation activation() {
        if (empty()) return Activation::kNone;
        if (const auto known = activation_of(words_[at_])) {
            ++at_;
            return *known;
        }
        return Activation::kNone;
    }

    void end() const {
        if (!empty()) {
            refuse(fmt::format("'{}' has '{}' at its end", typed_, words_[at_]),
                   fmt::format("such a layer is {}, and ends with ';' or its line", form().form),
                   "leave it out, or put ';' before it");
        }
    }

    std::string text() const { return std::string(typed_); }

private:
    /// Precondition: its kind is known.
    const LayerForm& form() const { return form_of(*kind_of(words_[0])); }

    std::string_view typed_;
    std::vector<std::string_view> words_;
    std::size_t at_ = 0;
};

/// A network while its layers are added. Layers of images of no size are looked at word by word alone.
class Builder {
public:
    Builder(const MapShape& images, bool sized) : map_(images), sized_(sized) { shape_.widest = images.size(); }

    void add(std::string_view text, std::string_view typed) {
        Words words(text, typed);
        const std::string_view name = words.next();
        const std::optional<LayerKind> kind = kind_of(name);
        if (!kind) {
            refuse(fmt::format("unknown layer '{}'", name),
                   fmt::format("known layers: {}; known networks: {}, mlp- and its sizes", fmt::join(kinds(), ", "),
                               fmt::join(kNames, ", ")),
                   meant(name) + "use layers, or one network's name; layers in a file stand in a sweep's, as network "
                                 "of its [run]");
        }
        const LayerForm& form = form_of(*kind);
        Layer layer{.kind = *kind, .out = map_};
        for (const LayerWord word : form.words) read(word, layer, words);
        words.end();
        if (form.has_window()) slide(layer, words);
        if (form.has(LayerWord::kUnits)) layer.depth = map_.size();
        if (form.has(LayerWord::kFilters)) layer.depth = layer.kernel * layer.kernel * map_.channels;
        add(layer, words);
    }

    NetworkShape shape() const { return shape_; }
    const MapShape& map() const { return map_; }

private:
    void read(LayerWord word, Layer& layer, Words& words) {
        switch (word) {
        case LayerWord::kNone: break;
        case LayerWord::kUnits: layer.out = {1, 1, words.number("a number of units")}; break;
        case LayerWord::kFilters: layer.out = {1, 1, words.number("a number of filters")}; break;
        case LayerWord::kSide: layer.kernel = words.number("the side of a window"); break;
        case LayerWord::kPoolSide:
            layer.kernel = layer.stride = words.number("the side of a window");
            layer.out = {1, 1, map_.channels};
            break;
        case LayerWord::kStride:
            if (words.takes("stride")) layer.stride = words.number("a stride");
            break;
        case LayerWord::kBorder:
            if (words.takes("pad")) border(layer, words);
            break;
        case LayerWord::kRate: layer.rate = rate(words); break;
        case LayerWord::kActivation: layer.activation = words.activation(); break;
        }
    }

    /// A layer of its own, before the one that has it.
    void border(const Layer& inner, Words& words) {
        Layer border{.kind = LayerKind::kPad};
        border.padding = words.number("a border");
        if (border.padding >= inner.kernel) {
            refuse(fmt::format("'{}' has a border of {}", words.text(), border.padding),
                   fmt::format("a window of {} would lie within it", inner.kernel), "take less than the window's side");
        }
        border.out = {map_.height + 2 * border.padding, map_.width + 2 * border.padding, map_.channels};
        add(border, words);
    }

    static float rate(Words& words) {
        const std::string_view word = words.next();
        float rate = 0;
        const auto [stop, fault] = std::from_chars(word.data(), word.data() + word.size(), rate);
        if (fault != std::errc{} || stop != word.data() + word.size() || !(rate > 0 && rate < 1)) {
            refuse(fmt::format("'{}' needs a rate", words.text()), "a share of units that lies between 0 and 1",
                   "write dropout 0.5");
        }
        return rate;
    }

    /// The places of its window.
    void slide(Layer& layer, const Words& words) const {
        if (!sized_) return;
        if (layer.kernel > map_.height || layer.kernel > map_.width) {
            refuse(fmt::format("'{}' does not fit", words.text()),
                   fmt::format("a window is {0}x{0}, what it looks at {1}x{2}", layer.kernel, map_.height, map_.width),
                   "use smaller windows, or fewer of such layers");
        }
        layer.out.height = (map_.height - layer.kernel) / layer.stride + 1;
        layer.out.width = (map_.width - layer.kernel) / layer.stride + 1;
    }

    void add(Layer layer, const Words& words) {
        if (shape_.count == NetworkShape::kMostLayers) {
            refuse(fmt::format("'{}' is one layer too many", words.text()),
                   fmt::format("a network has up to {}, borders counted", NetworkShape::kMostLayers), "use fewer");
        }
        layer.in = map_;
        if (sized_) place(layer, words);
        map_ = layer.out;
        shape_.layers[shape_.count++] = layer;
    }

    /// Where its weights and outputs lie.
    void place(Layer& layer, const Words& words) {
        const std::uint64_t weights = std::uint64_t{layer.rows()} * layer.out.channels;
        const std::uint64_t outputs =
            std::uint64_t{layer.out.height} * layer.out.width * layer.out.channels + shape_.activations;
        if (weights + shape_.coordinates > kMostWeights || outputs > kMostWeights) {
            refuse(fmt::format("'{}' is too large", words.text()),
                   "a network has at most 2^31 - 1 weights, and as many outputs", "take smaller layers");
        }
        layer.weights = shape_.coordinates;
        layer.group = shape_.groups;
        layer.output = shape_.activations;
        layer.statistics = shape_.statistics;
        if (layer.normalises()) shape_.statistics += static_cast<std::uint32_t>(weights);
        shape_.coordinates += static_cast<std::uint32_t>(weights);
        shape_.groups += layer.rows();
        shape_.activations = static_cast<std::uint32_t>(outputs);
        shape_.widest = std::max(shape_.widest, layer.out.size());
    }

    NetworkShape shape_;
    MapShape map_;
    bool sized_;
};

/// What mlp- is followed by: inputs, then units.
std::vector<std::uint32_t> sizes_of(std::string_view name) {
    const auto refuse_size = [&](const std::string& what, const std::string& why) {
        refuse(fmt::format("'{}' {}", name, what), why, "write mlp-784-128-10");
    };
    const std::string_view text = name.substr(std::string_view("mlp-").size());
    if (text.empty() || text.ends_with('-') || text.starts_with('-') || text.find("--") != std::string_view::npos)
        refuse_size("lacks a number", "a dash is followed by inputs, then by units of a layer each");
    std::vector<std::uint32_t> sizes;
    for (const std::string_view part : split(text, "-")) {
        const std::uint32_t most = sizes.empty() ? std::numeric_limits<std::uint32_t>::max() : kMostUnits;
        const auto size = whole(part);
        if (!size || *size < 1 || *size > most)
            refuse_size(fmt::format("has a size of '{}'", part), fmt::format("it is no number from 1 to {}", most));
        sizes.push_back(*size);
    }
    if (sizes.size() < 2) refuse_size("has no layer", "it names inputs and units");
    return sizes;
}

std::string layers_of(const NamedNetwork& network, std::uint32_t classes) {
    return fmt::format(fmt::runtime(network.layers), fmt::arg("classes", classes));
}

/// What a name stands for; the text itself where it is none.
std::string spelled_out(std::string_view text, std::uint32_t classes) {
    if (const NamedNetwork* const known = network_named(text)) return layers_of(*known, classes);
    if (!text.starts_with("mlp-")) return std::string(text);
    std::vector<std::string> layers;
    const auto sizes = sizes_of(text);
    for (std::size_t i = 1; i < sizes.size(); ++i)
        layers.push_back(fmt::format("dense {}{}", sizes[i], i + 1 == sizes.size() ? "" : " relu"));
    return fmt::format("{}", fmt::join(layers, "; "));
}

/// Entries of an image that the name asks for; 0 where it asks for none.
std::uint32_t inputs_of(std::string_view text) {
    if (const NamedNetwork* const known = network_named(text)) return known->inputs;
    return text.starts_with("mlp-") ? sizes_of(text)[0] : 0;
}

/// What to try where the last layer does not make a score for each class.
std::string other_end(std::string_view text, bool named, std::uint32_t classes) {
    if (text.starts_with("mlp-")) return fmt::format("write {}-{}", text.substr(0, text.rfind('-')), classes);
    if (named) return "name a network that fits them";
    return fmt::format("end it with dense {}, behind a ';' (a ',' begins another network)", classes);
}

NetworkShape built(std::string_view written, const MapShape& images, std::uint32_t classes, bool sized) {
    const std::string text = one_line(written);
    const std::uint32_t asked = inputs_of(text);
    if (sized && asked != 0 && asked != images.size()) {
        refuse(
            fmt::format("{} takes images of {} entries", text, asked),
            fmt::format("these are {}x{}x{}, {} entries", images.height, images.width, images.channels, images.size()),
            "name a network that fits them");
    }
    const std::string layers = spelled_out(text, classes);
    Builder builder(images, sized);
    const bool named = layers != text;
    for (const std::string_view layer : split(layers, ";")) builder.add(layer, named ? text : layer);
    const NetworkShape shape = builder.shape();
    if (shape.count == 0) refuse("it has no layer", "the text is empty", "write dense 128 relu; dense 10");
    const Layer& last = shape.last();
    if (last.kind != LayerKind::kDense || last.activation != Activation::kNone) {
        refuse(fmt::format("'{}' makes no scores", text), "scores come from a dense layer without activation",
               other_end(text, named, classes));
    }
    if (sized && last.out.channels != classes) {
        refuse(fmt::format("'{}' makes {} scores", text, last.out.channels),
               classes == 2 ? "no image has a label above 1, and 2 classes are the fewest"
                            : fmt::format("the images have {} classes", classes),
               other_end(text, named, classes));
    }
    return shape;
}

std::string text_of(const MapShape& map) {
    return map.places() == 1 ? fmt::format("{}", map.channels)
                             : fmt::format("{}x{}x{}", map.height, map.width, map.channels);
}

std::string text_of(const Layer& layer) {
    constexpr std::string_view kActivations[] = {"", " relu", " tanh", " sigmoid"};
    const LayerForm& form = form_of(layer.kind);
    std::string text(form.name);
    if (form.has_window()) text += fmt::format(" {0}x{0}", layer.kernel);
    if (form.has(LayerWord::kRate)) text += fmt::format(" {}", layer.rate);
    return fmt::format("{}{} {}", text, kActivations[static_cast<std::size_t>(layer.activation)], text_of(layer.out));
}

} // namespace

std::span<const NamedNetwork> named_networks() { return kNamed; }

std::string one_line(std::string_view text) {
    std::vector<std::string> layers;
    for (const std::string_view layer : split(text, kLayerEnds)) {
        const auto words = split(layer, kBlanks);
        if (!words.empty()) layers.push_back(fmt::format("{}", fmt::join(words, " ")));
    }
    return fmt::format("{}", fmt::join(layers, "; "));
}

std::string short_text(std::string_view text) {
    const std::string line = one_line(text);
    const auto classes =
        whole(std::string_view(line).substr(line.rfind(' ') + 1)); // of the last layer, which names spell out
    for (const NamedNetwork& each : kNamed) {
        if (classes && layers_of(each, *classes) == line) return std::string(each.name);
    }
    return line;
}

bool normalises(std::string_view text) {
    return std::ranges::any_of(split(text, kLayerEnds), [](std::string_view layer) {
        const auto words = split(layer, kBlanks);
        return !words.empty() && words[0] == BatchNorm::kForm.name;
    });
}

void check_network(std::string_view text) { built(text, {}, 10, false); }

const NetworkShape& network_of(std::string_view text, const MapShape& images, std::uint32_t classes) {
    using Asked = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    static std::mutex one_at_a_time;
    static std::map<Asked, NetworkShape> made; // whose entries stay where they are
    const std::scoped_lock lock(one_at_a_time);
    const Asked asked{one_line(text), images.height, images.width, images.channels, classes};
    const auto known = made.find(asked);
    return known != made.end() ? known->second : made.emplace(asked, built(text, images, classes, true)).first->second;
}

std::string describe_layer(const NetworkShape& network, std::uint32_t layer) {
    return fmt::format("layer {}, {}", layer + 1, text_of(network.layers[layer]));
}

std::string describe(const NetworkShape& network) {
    std::string text = text_of(network.layers[0].in);
    for (std::uint32_t l = 0; l < network.count; ++l) text += " > " + text_of(network.layers[l]);
    return fmt::format("{}, {} weights", text, network.coordinates);
}

} // namespace hogwild
