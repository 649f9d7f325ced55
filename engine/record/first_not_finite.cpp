#include "engine/record/first_not_finite.h"

#include "engine/network/network.h"
#include "engine/record/evaluate_images.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// Looks through the images that a loss is of, batch after batch, up to the first with an output that is not finite. Losses of
/// finite scores are finite.
std::string what_overflowed(const ImagesView& data, const float* weights) {
    constexpr std::uint32_t kTogether = 16;
    const NetworkShape& network = data.network();
    const PageArray<float> scratch(kTogether * NetworkTape::size(data) + NetworkPass::windows(data));
    const NetworkPass pass(data, {}, scratch.data(), scratch.data() + kTogether * NetworkTape::size(data));
    const NetworkTape& tape = pass.tape();
    const std::uint64_t count = std::min(data.rows, kImages);
    std::uint32_t samples[kTogether];
    for (std::uint64_t i = 0; i < count; i += kTogether) {
        const auto together = static_cast<std::uint32_t>(std::min<std::uint64_t>(kTogether, count - i));
        for (std::uint32_t k = 0; k < together; ++k)
            samples[k] = static_cast<std::uint32_t>((i + k) * data.rows / count);
        pass.forward<ScalarLanes>({samples, together, data.groups(), data.coordinates()}, weights);
        for (std::uint32_t l = 0; l < network.count; ++l) {
            // A convolution that goes as one layer with its pooling leaves what that has chosen among its outputs.
            const std::uint32_t kept = PooledConvolution::begins_at(network, l) ? l + 1 : l;
            for (std::uint32_t k = 0; k < together; ++k) {
                const float* const out = tape.output(k, kept);
                if (!std::all_of(out, out + network.layers[kept].out.size(), [](float x) { return std::isfinite(x); }))
                    return fmt::format("outputs of {}, are not", describe_layer(network, l));
            }
            l = kept;
        }
    }
    return "and so is all that a CPU thread computes from them"; // sums of a GPU are in another order
}

} // namespace

std::string what_broke(const AnyView& data, const float* weights) {
    const float* const end = weights + data.coordinates();
    const auto is_broken = [](float weight) { return !std::isfinite(weight); };
    const float* const first = std::find_if(weights, end, is_broken);
    if (first == end)
        return "all weights are finite, " + (data.is<ImagesView>() ? what_overflowed(data.as<ImagesView>(), weights)
                                                                   : "what is computed from them is not");
    if (!data.is<ImagesView>())
        return fmt::format("{} of {} weights are not", std::count_if(first, end, is_broken), data.coordinates());
    const NetworkShape& network = data.as<ImagesView>().network();
    const std::uint32_t l = network.layer_of(static_cast<std::uint32_t>(first - weights));
    return fmt::format("weights of {}, are not", describe_layer(network, l));
}

} // namespace hogwild
