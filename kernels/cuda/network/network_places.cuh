// What the phases of a team's step on a batch of images share. It is the step's frame, and where things lie on its tape
// and among weights. What becomes of the sums that tiles make is here too.
#pragma once

#include "kernels/cuda/network/network_phases.h"
#include "kernels/cuda/network/team_memory.h"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/products/conv_pool.cuh"
#include "kernels/cuda/products/dense_tile.cuh"
#include "kernels/cuda/products/direct_tile.cuh"
#include "kernels/cuda/products/tile_sums.cuh"
#include "kernels/cuda/step_policy.cuh"
#include "kernels/cuda/step_rule.cuh"
#include "kernels/network/activation.h"
#include "kernels/network/dropout.h"

#include <concepts>
#include <cstdint>

namespace hogwild::device {

class NetworkPlaces {
public:
    struct Frame {
        const std::uint32_t* numbers; // of samples
        std::uint32_t count;          // of samples
        std::uint32_t
            squads; // among which phases are cut: all that might take one, though a launch has no more than it needs
        std::uint32_t parts; // at most, of a convolution's gradient
        float* tape;
        float* of_parts;
        const float* read; // weights
        float* weights;
        float factor;        // of the summed gradient
        std::uint32_t fused; // layers that are taken together with the one after
        const DenseTiles* tiles;
        const StepRule* rule; // in the block's memory; null: plain SGD
        DropoutDraws draws;
        StepPolicy policy;
        LayerChoices layers;        // whose policy is another
        float* shadow;              // of a policy that counts
        unsigned long long* issued; // of a policy that counts
        const float* gradient;      // given: of dense layers' weights, but biases, each at its coordinate
    };

    __device__ NetworkPlaces(const DeviceImages& data, const Frame& frame)
        : data_(data), network_(data.network()), frame_(frame), tape_(data, frame.tape) {}

protected:
    __device__ static float through(Activation activation, float output, float slope) {
        return with_activation(activation,
                               [=]<Activation kActivation>() { return slope_through<kActivation>(output, slope); });
    }

    /// What becomes of a tile's sums.
    struct ToOutputs {
        float* first;
        Strides row;
        Activation activation;
        __device__ void operator()(std::uint32_t m, std::uint32_t n, float sum) const {
            first[row(m) + n] =
                with_activation(activation, [=]<Activation kActivation>() { return activated<kActivation>(sum); });
        }
    };
    struct ToSlopes {
        float* first;
        Strides row;
        std::int64_t outputs; // from a slope to its output
        Activation activation;
        __device__ void operator()(std::uint32_t m, std::uint32_t n, float sum) const {
            float* const at = first + row(m) + n;
            *at = through(activation, at[outputs], sum);
        }
    };
    struct ToWeights {
        float* first;                  // of the layer
        float* part;                   // not null: the sums go there
        std::uint32_t layer;           // its first coordinate
        std::uint32_t columns, shrunk; // of these entries, which are those before the biases'
        float shrink, factor;
        const StepRule* rule;
        StepPolicy policy;
        float* shadow;
        unsigned long long* issued;
        bool is_plain; // no L2, rule or count

        __device__ void operator()(std::uint32_t m, std::uint32_t n, float sum) const {
            const std::uint32_t at = m * columns + n;
            part != nullptr ? void(part[at] = sum) : add(at, sum);
        }

        /// Entry number `at` of the layer's gradient.
        __device__ void add(std::uint32_t at, float sum) const {
            if (is_plain) return sum == 0.0f ? void() : policy.add(first[at], sum * factor);
            if (shrink != 0.0f && at < shrunk) sum += shrink * relaxed_load<Scope::kSystem>(first[at]);
            if (sum == 0.0f) return;
            if (rule != nullptr) sum = (*rule)(layer + at, sum);
            policy.add(first[at], sum * factor);
            if (!policy.counts()) return;
            policy.add(shadow[at], 1.0f);
            atomicAdd(issued, 1ULL);
        }
    };

    __device__ ToWeights to_weights(std::uint32_t l, float* part) const {
        const Layer& layer = network_.layers[l];
        const StepPolicy policy = frame_.policy.with(frame_.layers.of(l));
        return {frame_.weights + layer.weights,
                part,
                layer.weights,
                layer.out.channels,
                layer.depth * layer.out.channels,
                data_.l2 * static_cast<float>(frame_.count),
                frame_.factor,
                frame_.rule,
                policy,
                policy.counts() ? frame_.shadow + layer.weights : nullptr,
                frame_.issued,
                data_.l2 == 0.0f && frame_.rule == nullptr && !policy.counts()};
    }

    template <bool kAcross, bool kEndsInOnes = false>
    using OfTape = DenseSide<kAcross, false, kEndsInOnes>;
    template <bool kAcross>
    using OfWeights = DenseSide<kAcross, true>;

    template <class Factors, class Finish>
    __device__ void tiles(const TileCut& cut, std::uint32_t tile, const Factors& factors, const TileRows& rows,
                          const float* initial, TilePlace place, const Squad& squad, TileMemory& memory,
                          const Finish& finish) const {
        place.first_row = tile % cut.down * cut.tile_rows();
        place.first_column = tile / cut.down * cut.tile_columns();
        switch (cut.kind) {
        case TileCut::Kind::kWide: return sum_tile<WideTile>(factors, rows, initial, place, squad, memory, finish);
        case TileCut::Kind::kMiddle: return sum_tile<MiddleTile>(factors, rows, initial, place, squad, memory, finish);
        case TileCut::Kind::kShort: return sum_tile<ShortTile>(factors, rows, initial, place, squad, memory, finish);
        case TileCut::Kind::kNarrow: return sum_tile<NarrowTile>(factors, rows, initial, place, squad, memory, finish);
        case TileCut::Kind::kSplit:
            if constexpr (std::same_as<Finish, ToWeights>)
                sum_tile<SplitTile>(factors, rows, initial, place, squad, memory, finish);
            return;
        case TileCut::Kind::kDirect:
            if constexpr (!std::same_as<Finish, ToWeights>)
                sum_direct_tile<1>(factors, rows, initial, place, squad, memory, finish);
            return;
        case TileCut::Kind::kDirect2:
            if constexpr (!std::same_as<Finish, ToWeights>)
                sum_direct_tile<2>(factors, rows, initial, place, squad, memory, finish);
            return;
        case TileCut::Kind::kDirect4:
            if constexpr (!std::same_as<Finish, ToWeights>)
                sum_direct_tile<4>(factors, rows, initial, place, squad, memory, finish);
            return;
        }
    }

    __device__ std::uint32_t stride() const { return static_cast<std::uint32_t>(tape_.stride()); }

    __device__ bool fused(std::uint32_t l) const { return hogwild::fused(frame_.fused, l, network_); }
    __device__ static float* floats_of(TileMemory& memory) { return reinterpret_cast<float*>(&memory); }
    __device__ static ConvPoolMemory memory_of(TileMemory& memory) { return {floats_of(memory), kSquadFloats}; }

    /// Convolution number l and the pooling after it, on the tape.
    struct Pair {
        ConvPool shape;
        float *pooled, *slopes; // of the batch's first sample, along the pooled map
        std::uint8_t* winners;  // of the batch's first sample
        std::uint32_t stride;   // floats from sample to sample

        __device__ std::uint64_t entry(std::uint32_t i, std::uint32_t place, std::uint32_t f) const {
            return std::uint64_t{i} * stride + place * shape.filters() + f;
        }
        __device__ std::uint8_t& winner(std::uint32_t i, std::uint32_t place, std::uint32_t f) const {
            return winners[std::uint64_t{i} * stride * sizeof(float) + place * shape.filters() + f];
        }
    };
    __device__ Pair of_pair(std::uint32_t l) const {
        return {ConvPool(network_.layers[l], network_.layers[l + 1]), tape_.output(0, l + 1), tape_.slopes(0, l + 1),
                reinterpret_cast<std::uint8_t*>(tape_.output(0, l)), stride()};
    }

    struct Pixels {
        const float* first;
        std::uint32_t stride, width, channels;
        __device__ auto operator()(std::uint32_t i) const {
            return [map = first + i * stride, width = width, channels = channels](std::uint32_t y, std::uint32_t x,
                                                                                  std::uint32_t c) {
                return map[(y * width + x) * channels + c];
            };
        }
    };
    __device__ Pixels pixels(std::uint32_t l) const {
        const MapShape& in = network_.layers[l].in;
        return {tape_.input(0, l), stride(), in.width, in.channels};
    }

    struct Winners {
        Pair pair;
        __device__ auto operator()(std::uint32_t i) const {
            const std::uint64_t at = std::uint64_t{i} * pair.stride;
            return [winners = pair.winners + at * sizeof(float), pooled = pair.pooled + at, slopes = pair.slopes + at,
                    filters = pair.shape.filters(),
                    activation = pair.shape.activation](std::uint32_t place, std::uint32_t f, std::uint32_t& which) {
                const std::uint32_t entry = place * filters + f;
                which = winners[entry];
                return through(activation, pooled[entry], slopes[entry]);
            };
        }
    };
    struct ToPooled {
        Pair pair;
        __device__ void operator()(std::uint32_t i, std::uint32_t place, std::uint32_t f, float value,
                                   std::uint32_t which) const {
            pair.pooled[pair.entry(i, place, f)] = value;
            pair.winner(i, place, f) = static_cast<std::uint8_t>(which);
        }
    };
    struct ToInput {
        float* slopes;
        const float* outputs;
        std::uint32_t stride;
        MapShape map;
        Activation activation;
        __device__ void operator()(std::uint32_t i, std::uint32_t y, std::uint32_t x, std::uint32_t c,
                                   float sum) const {
            const std::uint32_t at = i * stride + (y * map.width + x) * map.channels + c;
            slopes[at] = through(activation, outputs[at], sum);
        }
    };
    struct ToPart {
        float* part;
        std::uint32_t columns;
        __device__ void operator()(std::uint32_t row, std::uint32_t f, float sum) const {
            part[row * columns + f] = sum;
        }
    };

    /// Rows (sample, place) of a map that is so many channels deep.
    __device__ Strides places(const MapShape& map) const {
        if (map.places() == 1) return {1, stride()};
        return {map.places(), stride(), map.places(), 0, map.channels};
    }
    /// The place where a window of a layer begins, at (sample, y, x) of its output.
    __device__ Strides windows(const Layer& layer) const {
        if (layer.kind == LayerKind::kDense) return {1, stride()};
        return {layer.out.places(), stride(), layer.out.width, layer.stride * layer.line(),
                layer.stride * layer.in.channels};
    }
    /// Entry (line, entry of the line) of a window.
    __device__ static Strides window(const Layer& layer) {
        if (layer.kind == LayerKind::kDense) return {1, 1};
        return {layer.window_line(), layer.line(), layer.window_line(), 0, 1};
    }

    /// each(sample, entry of the map) of the batch's maps.
    template <class Each>
    __device__ void for_each_entry(const MapShape& map, const Squad& squad, const Each& each) const {
        const std::uint32_t entries = map.size(), total = frame_.count * entries;
#pragma unroll 2
        for (std::uint32_t e = squad.rank * kSquadThreads + squad.thread; e < total; e += squad.size * kSquadThreads) {
            const std::uint32_t sample = e / entries;
            each(sample, e - sample * entries);
        }
    }

    const DeviceImages& data_;
    const NetworkShape& network_;
    const Frame& frame_;
    NetworkTape tape_;
};

} // namespace hogwild::device
