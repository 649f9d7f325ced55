#include "engine/record/broken.h"

#include "engine/network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace hogwild {

std::string what_broke(const AnyView& data, const float* weights) {
    const float* const end = weights + data.coordinates();
    const auto is_broken = [](float weight) { return !std::isfinite(weight); };
    const float* const first = std::find_if(weights, end, is_broken);
    if (first == end) return "all weights are finite, what is computed from them is not";
    if (!data.is<ImagesView>())
        return fmt::format("{} of {} weights are not", std::count_if(first, end, is_broken), data.coordinates());
    const NetworkShape& network = data.as<ImagesView>().network;
    const std::uint32_t l = network.layer_of(static_cast<std::uint32_t>(first - weights));
    return fmt::format("weights of {}, are not", describe_layer(network, l));
}

} // namespace hogwild
