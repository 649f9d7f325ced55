// A team's step on a batch of images: the same as kernels/patterns/image_batches.h takes, its phases (kernels/cuda/network_phases.h) cut
// into pieces that the team's blocks share out.
//
// Sums of dense layers are the host's to the bit; those of convolutions' slopes and gradients are added in another order.
// Weights may be read and written by others meanwhile. Increments go entry by entry through the policy, zeros not at all.
#pragma once

#include "kernels/cuda/network_phases.h"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/step_policy.cuh"
#include "kernels/cuda/team_memory.h"
#include "kernels/cuda/tile_sums.cuh"
#include "kernels/dropout.h"
#include "kernels/layers/activation.h"
#include "kernels/layers/entries.h"

#include <cstdint>

namespace hogwild::device {

/// Some of the blocks that share a phase's pieces.
struct PhaseShare {
    unsigned rank, size;
};

template <class Problem>
class NetworkStep {
public:
    struct Frame {
        const std::uint32_t* numbers; // of samples
        std::uint32_t count;          // of samples
        std::uint32_t parts;          // at most, of a convolution's gradient
        float* tape;
        float* of_parts;
        const float* read; // weights
        float* weights;
        float factor; // of the summed gradient
        DropoutDraws draws;
        StepPolicy policy;
        float* shadow;              // of a policy that counts
        unsigned long long* issued; // likewise
    };

    __device__ NetworkStep(const ImagesView& data, const Frame& frame)
        : data_(data), network_(data.network), frame_(frame), tape_(data, frame.tape) {}

    /// Any but the images'. By all threads of a block.
    __device__ void run(const NetworkPhase& phase, const PhaseShare& share, TileMemory& memory) const {
        switch (phase.kind) {
        case PhaseKind::kImages: return;
        case PhaseKind::kForward: return forward(phase.layer, share, memory);
        case PhaseKind::kScores: return scores(share);
        case PhaseKind::kBack: return back(phase.layer, share, memory);
        case PhaseKind::kGradient: return gradients(share, memory);
        case PhaseKind::kParts: return join_parts(share);
        }
    }

    /// The image of sample number `number` into place i of the tape.
    __device__ void image(std::uint32_t i, std::uint32_t number) const {
        const std::uint32_t entries = data_.shape.size();
        const std::uint8_t* const pixels = data_.pixels + std::uint64_t{number} * entries;
        float* const to = tape_.image(i);
        for (std::uint32_t k = threadIdx.x; k < entries; k += kTeamThreads)
            to[k] = static_cast<float>(pixels[k]) * (1.0f / 255.0f);
    }

private:
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
        const NetworkStep& step;
        const Layer& layer;
        float* part; // null: to the weights
        __device__ void operator()(std::uint32_t m, std::uint32_t n, float sum) const {
            const std::uint32_t at = m * layer.out.channels + n;
            if (part != nullptr)
                part[at] = sum;
            else
                step.add(layer, at, sum);
        }
    };

    /// Gradient entry number `at` of a layer.
    __device__ void add(const Layer& layer, std::uint32_t at, float sum) const {
        float& weight = frame_.weights[layer.weights + at];
        if (data_.l2 != 0.0f && at < layer.depth * layer.out.channels)
            sum += data_.l2 * static_cast<float>(frame_.count) * relaxed_load<Scope::kSystem>(weight);
        if (sum == 0.0f) return;
        frame_.policy.add(weight, sum * frame_.factor);
        if (!frame_.policy.counts()) return;
        frame_.policy.add(frame_.shadow[layer.weights + at], 1.0f);
        atomicAdd(frame_.issued, 1ULL);
    }

    template <class Factors, class Finish>
    __device__ void tiles(const TileCut& cut, std::uint32_t tile, const Factors& factors, const TileRows& rows,
                          const float* initial, TilePlace place, TileMemory& memory, const Finish& finish) const {
        place.first_row = tile % cut.down * cut.tile_rows();
        place.first_column = tile / cut.down * cut.tile_columns();
        switch (cut.kind) {
        case TileCut::Kind::kWide: return sum_tile<WideTile>(factors, rows, initial, place, memory, finish);
        case TileCut::Kind::kMiddle: return sum_tile<MiddleTile>(factors, rows, initial, place, memory, finish);
        case TileCut::Kind::kNarrow: return sum_tile<NarrowTile>(factors, rows, initial, place, memory, finish);
        case TileCut::Kind::kSplit:
            if constexpr (std::same_as<Finish, ToWeights>)
                sum_tile<SplitTile>(factors, rows, initial, place, memory, finish);
        }
    }

    __device__ std::uint32_t stride() const { return static_cast<std::uint32_t>(tape_.stride()); }

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
    __device__ void for_each_entry(const MapShape& map, const PhaseShare& share, const Each& each) const {
        const std::uint32_t entries = map.size(), total = frame_.count * entries;
        for (std::uint32_t e = share.rank * kTeamThreads + threadIdx.x; e < total; e += share.size * kTeamThreads) {
            const std::uint32_t sample = e / entries;
            each(sample, e - sample * entries);
        }
    }

    __device__ void forward(std::uint32_t l, const PhaseShare& share, TileMemory& memory) const {
        const Layer& layer = network_.layers[l];
        if (!layer.weighted()) {
            return for_each_entry(layer.out, share, [&](std::uint32_t i, std::uint32_t u) {
                tape_.output(i, l)[u] = output(layer, l, i, u);
            });
        }
        const TilePlace place{frame_.count * layer.out.places(), layer.out.channels, layer.depth, 0, 0};
        const TileCut cut = cut_of(place.rows, place.columns, share.size);
        const PlainFactors factors{tape_.input(0, l), windows(layer), window(layer)};
        const TileRows rows{frame_.read + layer.weights, {1, layer.out.channels}};
        const ToOutputs finish{tape_.output(0, l), places(layer.out), layer.activation};
        for (std::uint32_t tile = share.rank; tile < cut.tiles(); tile += share.size)
            tiles(cut, tile, factors, rows, frame_.read + layer.biases(), place, memory, finish);
    }

    /// Output u of sample i, of a layer without weights.
    __device__ float output(const Layer& layer, std::uint32_t l, std::uint32_t i, std::uint32_t u) const {
        const float* const in = tape_.input(i, l);
        switch (layer.kind) {
        case LayerKind::kPad: return padded(layer, in, u);
        case LayerKind::kMaxPool: return in[largest_of(layer, in, u)];
        case LayerKind::kMeanPool: return mean_of(layer, in, u);
        default: return in[u] * frame_.draws.factor(frame_.numbers[i], l, u, layer.rate);
        }
    }

    __device__ void scores(const PhaseShare& share) const {
        for (std::uint32_t i = share.rank + share.size * threadIdx.x; i < frame_.count;
             i += share.size * kTeamThreads) {
            Problem::slopes(tape_.scores(i), data_.classes, data_.labels[frame_.numbers[i]],
                            tape_.slopes(i, network_.count - 1));
        }
    }

    /// Slopes along the inputs of layer number l > 0, which are the outputs of the one before.
    __device__ void back(std::uint32_t l, const PhaseShare& share, TileMemory& memory) const {
        const Layer &layer = network_.layers[l], &before = network_.layers[l - 1];
        if (!layer.weighted()) {
            return for_each_entry(layer.in, share, [&](std::uint32_t i, std::uint32_t u) {
                tape_.slopes(i, l - 1)[u] =
                    through(before.activation, tape_.output(i, l - 1)[u], input_slope(layer, l, i, u));
            });
        }
        const std::int64_t outputs = tape_.output(0, l - 1) - tape_.slopes(0, l - 1);
        const std::uint32_t channels = layer.out.channels;
        if (layer.kind == LayerKind::kDense) {
            const TilePlace place{frame_.count, layer.depth, channels, 0, 0};
            const TileCut cut = cut_of(place.rows, place.columns, share.size);
            const PlainFactors factors{tape_.slopes(0, l), {1, stride()}, {1, 1}};
            const TileRows rows{frame_.read + layer.weights, {1, 1}, channels};
            const ToSlopes finish{tape_.slopes(0, l - 1), {1, stride()}, outputs, before.activation};
            for (std::uint32_t tile = share.rank; tile < cut.tiles(); tile += share.size)
                tiles(cut, tile, factors, rows, nullptr, place, memory, finish);
            return;
        }
        const TilePlace place{frame_.count * layer.in.places(), layer.in.channels,
                              layer.kernel * layer.kernel * channels, 0, 0};
        const TileCut cut = cut_of(place.rows, place.columns, share.size);
        const WindowFactors factors{tape_.slopes(0, l), layer, stride()};
        const TileRows rows{
            frame_.read + layer.weights, {channels, layer.in.channels * channels, channels, 0, 1}, channels};
        const ToSlopes finish{tape_.slopes(0, l - 1), places(layer.in), outputs, before.activation};
        for (std::uint32_t tile = share.rank; tile < cut.tiles(); tile += share.size)
            tiles(cut, tile, factors, rows, nullptr, place, memory, finish);
    }

    /// Along input u of sample i, of a layer without weights.
    __device__ float input_slope(const Layer& layer, std::uint32_t l, std::uint32_t i, std::uint32_t u) const {
        const float* const slopes = tape_.slopes(i, l);
        switch (layer.kind) {
        case LayerKind::kPad: return slopes[within_border(layer, u)];
        case LayerKind::kMaxPool: return max_pool_slope(layer, tape_.input(i, l), slopes, u);
        case LayerKind::kMeanPool: return mean_pool_slope(layer, slopes, u);
        default: return slopes[u] * frame_.draws.factor(frame_.numbers[i], l, u, layer.rate);
        }
    }

    __device__ void gradients(const PhaseShare& share, TileMemory& memory) const {
        const GradientParts parts(frame_.count, frame_.parts);
        std::uint32_t before = 0; // pieces of layers before
        float* of_layer = frame_.of_parts;
        for (std::uint32_t l = 0; l < network_.count; ++l) {
            const Layer& layer = network_.layers[l];
            if (!layer.weighted()) continue;
            const bool slides = layer.kind == LayerKind::kConvolution;
            const TileCut cut = cut_of_gradient(layer, share.size);
            const std::uint32_t pieces = cut.tiles() * (slides ? parts.parts : 1);
            // This block's first piece of the layer, as if all layers' pieces were one list.
            std::uint32_t piece = (share.rank + share.size - before % share.size) % share.size;
            for (; piece < pieces; piece += share.size) {
                const std::uint32_t part = piece / cut.tiles();
                gradient(layer, l, cut, piece % cut.tiles(), slides ? part * parts.samples : 0,
                         slides ? min(parts.samples, frame_.count - part * parts.samples) : frame_.count,
                         slides ? of_layer + std::uint64_t{part} * layer.rows() * layer.out.channels : nullptr, memory);
            }
            before += pieces;
            if (slides) of_layer += std::uint64_t{parts.parts} * layer.rows() * layer.out.channels;
        }
    }

    /// A tile of the gradient of samples [first, first + count).
    __device__ void gradient(const Layer& layer, std::uint32_t l, const TileCut& cut, std::uint32_t tile,
                             std::uint32_t first, std::uint32_t count, float* part, TileMemory& memory) const {
        const TilePlace place{layer.rows(), layer.out.channels, count * layer.out.places(), 0, 0};
        const PlainFactors factors{tape_.input(first, l), window(layer), windows(layer), layer.depth,
                                   layer.kind == LayerKind::kDense};
        const TileRows rows{tape_.slopes(first, l), places(layer.out)};
        tiles(cut, tile, factors, rows, nullptr, place, memory, ToWeights{*this, layer, part});
    }

    __device__ void join_parts(const PhaseShare& share) const {
        const GradientParts parts(frame_.count, frame_.parts);
        const float* of_layer = frame_.of_parts;
        for (std::uint32_t l = 0; l < network_.count; ++l) {
            const Layer& layer = network_.layers[l];
            if (layer.kind != LayerKind::kConvolution) continue;
            const std::uint32_t size = layer.rows() * layer.out.channels;
            for (std::uint32_t at = share.rank * kTeamThreads + threadIdx.x; at < size;
                 at += share.size * kTeamThreads) {
                float sum = 0;
                for (std::uint32_t p = 0; p < parts.parts; ++p) sum += of_layer[std::uint64_t{p} * size + at];
                add(layer, at, sum);
            }
            of_layer += std::uint64_t{parts.parts} * size;
        }
    }

    const ImagesView& data_;
    const NetworkShape& network_;
    const Frame& frame_;
    NetworkTape tape_;
};

} // namespace hogwild::device
