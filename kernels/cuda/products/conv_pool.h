// A convolution followed by max pooling, as one step: no map of the convolution's outputs is kept between them.
//
//   pooled[p][f] = max over the p-th window's places w of f(bias[f] + sum over k of in[w + k] x row k[f])
//
// Only the winner of a window, its first largest place, sends a slope back. With windows of 2 x 2 places that is a quarter of the
// work of the two layers one by one. Two things are remembered: the pooled map, and for each entry which place won, a byte.
// Sources: LeCun, Bottou, Bengio, Haffner 1998 (the layers); Simard, Steinkraus, Platt 2003 (error signals pushed back).
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

struct ConvPool {
    MapShape in, conv, pooled; // the convolution's input and output, and the pooled map
    std::uint32_t kernel = 0;
    Activation activation = Activation::kNone;

    static constexpr std::uint32_t kPool = 2; // side of a window, and from one to the next

    HOGWILD_HOST_DEVICE ConvPool(const Layer& convolution, const Layer& pooling)
        : in(convolution.in),
          conv(convolution.out),
          pooled(pooling.out),
          kernel(convolution.kernel),
          activation(convolution.activation) {}

    HOGWILD_HOST_DEVICE std::uint32_t filters() const { return conv.channels; }
    HOGWILD_HOST_DEVICE std::uint32_t depth() const { return kernel * kernel * in.channels; }
};

/// Whether layer number l and the one after it are such a pair, of sizes that there is code for.
HOGWILD_HOST_DEVICE inline bool is_conv_pool(const NetworkShape& network, std::uint32_t l) {
    if (l + 1 >= network.count) return false;
    const Layer &convolution = network.layers[l], &pooling = network.layers[l + 1];
    return convolution.kind == LayerKind::kConvolution && pooling.kind == LayerKind::kMaxPool &&
           (convolution.kernel == 3 || convolution.kernel == 5) && convolution.stride == 1 &&
           pooling.kernel == ConvPool::kPool && pooling.stride == ConvPool::kPool;
}

} // namespace hogwild
