#include "engine/network/layer_updates.h"

#include "engine/error.h"
#include "engine/network/network.h"
#include "engine/numbers.h"
#include "kernels/catalog.h"
#include "kernels/network/layers/layer_updates.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view part, const std::string& why) {
    throw Error(Failure::kUsage, fmt::format("--layer-update {}", text), fmt::format("'{}' {}", part, why),
                "say LAYER=POLICY, such as 1=atomic+5=noop");
}

/// Policies by the layer's number, the first being 1.
std::map<std::uint32_t, std::uint8_t> choices(std::string_view text) {
    std::map<std::uint32_t, std::uint8_t> found;
    if (text == kNoLayerUpdates) return found;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t equals = std::min(part.find('='), part.size());
        const std::uint64_t layer = parse_count(part.substr(0, equals)).value_or(0);
        if (equals == part.size() || layer == 0 || layer > std::numeric_limits<std::uint32_t>::max())
            refuse(text, part, "names no layer by its number, from 1 on, and a policy");
        const std::size_t policy = catalog::find<LayerPolicies>(part.substr(equals + 1));
        if (policy == std::variant_size_v<LayerPolicies>)
            refuse(text, part, fmt::format("names no policy of {}", fmt::join(catalog::names<LayerPolicies>, ", ")));
        if (!found.emplace(static_cast<std::uint32_t>(layer), static_cast<std::uint8_t>(policy)).second)
            refuse(text, part, "names a layer that has a policy already");
    }
    return found;
}

std::string weighted_layers(const NetworkShape& network) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t l = 0; l < network.count; ++l) {
        if (network.layers[l].weighted()) numbers.push_back(l + 1);
    }
    return fmt::format("use --layer-update with layers {}", fmt::join(numbers, ", "));
}

} // namespace

void check_layer_updates(std::string_view text) { choices(text); }

std::string why_not_layer_updates(std::string_view text, const NetworkShape& network) {
    for (const auto& [layer, policy] : choices(text)) {
        if (layer > network.count)
            return fmt::format("the network has {} layers, and none is number {}; {}", network.count, layer,
                               weighted_layers(network));
        if (!network.layers[layer - 1].weighted())
            return fmt::format("{} has no weights to be updated; {}", describe_layer(network, layer - 1),
                               weighted_layers(network));
    }
    return "";
}

std::vector<LayerUpdate> layer_updates(std::string_view text, const NetworkShape& network) {
    const std::map<std::uint32_t, std::uint8_t> chosen = choices(text);
    std::vector<LayerUpdate> ranges;
    if (chosen.empty()) return ranges;
    for (std::uint32_t l = 0; l < network.count; ++l) {
        const Layer& layer = network.layers[l];
        if (layer.rows() == 0) continue;
        const auto own = chosen.find(l + 1);
        ranges.push_back({layer.end(), own == chosen.end() ? LayerUpdate::kOfRun : own->second});
    }
    return ranges;
}

LayerChoices layer_choices(std::string_view text) {
    LayerChoices made;
    for (const auto& [layer, policy] : choices(text)) made.choose(layer - 1, policy);
    return made;
}

std::string_view layer_policy(std::string_view text, bool (*is)(const UpdateTraits&)) {
    for (const auto& choice : choices(text)) {
        if (is(catalog::Traits<LayerPolicies>::value[choice.second]))
            return catalog::names<LayerPolicies>[choice.second];
    }
    return {};
}

} // namespace hogwild
