// Layers without weights, entry by entry, are their loops to the bit.
#include "kernels/network/layers/kinds.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hogwild;

namespace {

Layer pooling(LayerKind kind, const MapShape& in, std::uint32_t kernel, std::uint32_t stride) {
    Layer layer{.kind = kind};
    layer.in = in;
    layer.kernel = kernel;
    layer.stride = stride;
    layer.out = {(in.height - kernel) / stride + 1, (in.width - kernel) / stride + 1, in.channels};
    return layer;
}

struct Maps {
    std::vector<float> in, slopes, out, in_slopes;

    explicit Maps(const Layer& layer) : out(layer.out.size()), in_slopes(layer.in.size()) {
        TestNumbers numbers(layer.kernel * 7 + layer.stride);
        in = numbers.vector<float>(layer.in.size());
        for (std::size_t k = 3; k < in.size(); k += 5) in[k] = in[k - 3]; // some are equally large
        slopes = numbers.vector<float>(layer.out.size());
    }
};

} // namespace

TEST_CASE("entries of pooled maps and their slopes are those of the loops") {
    for (const MapShape in : {MapShape{6, 6, 3}, {7, 5, 1}, {5, 8, 2}}) {
        for (const std::uint32_t kernel : {1u, 2u, 3u}) {
            for (const std::uint32_t stride : {1u, 2u, 3u, 4u}) {
                const Layer most = pooling(LayerKind::kMaxPool, in, kernel, stride);
                Maps maps(most);
                max_pool(most, maps.in.data(), maps.out.data());
                max_pool_back(most, maps.in.data(), maps.slopes.data(), maps.in_slopes.data());
                for (std::uint32_t u = 0; u < most.out.size(); ++u)
                    CHECK(maps.in[largest_of(most, maps.in.data(), u)] == maps.out[u]);
                for (std::uint32_t u = 0; u < in.size(); ++u)
                    CHECK(max_pool_slope(most, maps.in.data(), maps.slopes.data(), u) == maps.in_slopes[u]);
                CHECK(windows_part(most) == (kernel == stride && in.height % kernel == 0 && in.width % kernel == 0));
                if (windows_part(most)) {
                    std::vector<float> by_window(in.size(), -1.0f);
                    for (std::uint32_t u = 0; u < most.out.size(); ++u) {
                        max_pool_back_window(most, maps.in.data(), maps.slopes[u], u, by_window.data(),
                                             [](float, float slope) { return slope; });
                    }
                    CHECK(by_window == maps.in_slopes);
                }

                const Layer mean = pooling(LayerKind::kMeanPool, in, kernel, stride);
                mean_pool(mean, maps.in.data(), maps.out.data());
                mean_pool_back(mean, maps.slopes.data(), maps.in_slopes.data());
                for (std::uint32_t u = 0; u < mean.out.size(); ++u)
                    CHECK(mean_of(mean, maps.in.data(), u) == maps.out[u]);
                for (std::uint32_t u = 0; u < in.size(); ++u)
                    CHECK(mean_pool_slope(mean, maps.slopes.data(), u) == maps.in_slopes[u]);
            }
        }
    }
}

TEST_CASE("entries of a map with a border, and their slopes, are those of the loops") {
    for (const std::uint32_t border : {1u, 2u}) {
        Layer layer{.kind = LayerKind::kPad};
        layer.in = {4, 3, 2};
        layer.padding = border;
        layer.out = {4 + 2 * border, 3 + 2 * border, 2};
        Maps maps(layer);
        pad(layer, maps.in.data(), maps.out.data());
        pad_back(layer, maps.slopes.data(), maps.in_slopes.data());
        for (std::uint32_t u = 0; u < layer.out.size(); ++u) CHECK(padded(layer, maps.in.data(), u) == maps.out[u]);
        for (std::uint32_t u = 0; u < layer.in.size(); ++u)
            CHECK(maps.slopes[within_border(layer, u)] == maps.in_slopes[u]);
    }
}
