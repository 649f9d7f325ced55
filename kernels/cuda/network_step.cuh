// A team's step on a batch of images: the same as kernels/patterns/image_batches.h takes, its phases (kernels/cuda/network_phases.h) cut
// into pieces that squads of its threads share out.
//
// Sums of dense layers are the host's to the bit; those of convolutions' slopes and gradients are added in another order.
// Weights may be read and written by others meanwhile. Increments go entry by entry through the policy, zeros not at all.
// Products of dense layers may be a library's (`kGiven`), made before the phase that wants them: then what is left of that phase is done
// entry by entry.
#pragma once

#include "kernels/cuda/conv_pool.cuh"
#include "kernels/cuda/dense_tile.cuh"
#include "kernels/cuda/direct_tile.cuh"
#include "kernels/cuda/network_phases.h"
#include "kernels/cuda/norm_step.cuh"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/step_policy.cuh"
#include "kernels/cuda/step_rule.cuh"
#include "kernels/cuda/team_memory.h"
#include "kernels/cuda/tile_sums.cuh"
#include "kernels/cuda/warp_row.cuh"
#include "kernels/dropout.h"
#include "kernels/layers/activation.h"
#include "kernels/layers/entries.h"

#include <concepts>
#include <cstdint>
#include <limits>

namespace hogwild::device {

template <class Problem, bool kGiven = false>
class NetworkStep {
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
        unsigned long long* issued; // likewise
        const float* gradient;      // given: of dense layers' weights, but biases, each at its coordinate
    };

    __device__ NetworkStep(const ImagesView& data, const Frame& frame)
        : data_(data), network_(data.network), frame_(frame), tape_(data, frame.tape) {}

    /// Any but the images'. By all threads of a squad.
    __device__ void run(const NetworkPhase& phase, const Squad& squad, TileMemory& memory) const {
        switch (phase.kind) {
        case PhaseKind::kImages:
        case PhaseKind::kEnd: return;
        case PhaseKind::kForward: return run<PhaseKind::kForward>(phase.layer, squad, memory);
        case PhaseKind::kScores: return run<PhaseKind::kScores>(phase.layer, squad, memory);
        case PhaseKind::kBack: return run<PhaseKind::kBack>(phase.layer, squad, memory);
        case PhaseKind::kGradient: return run<PhaseKind::kGradient>(phase.layer, squad, memory);
        case PhaseKind::kParts: return run<PhaseKind::kParts>(phase.layer, squad, memory);
        }
    }
    template <PhaseKind kKind>
    __device__ void run(std::uint32_t layer, const Squad& squad, TileMemory& memory) const {
        if constexpr (kKind == PhaseKind::kForward) forward(layer, squad, memory);
        if constexpr (kKind == PhaseKind::kScores)
            scores(squad.rank + squad.size * squad.thread, frame_.count, squad.size * kSquadThreads);
        if constexpr (kKind == PhaseKind::kBack) back(layer, squad, memory);
        if constexpr (kKind == PhaseKind::kGradient) gradients(squad, memory);
        if constexpr (kKind == PhaseKind::kParts) join_parts(squad, memory);
    }

    /// The images of this squad's samples onto the tape; number_at(i): of the batch's sample i. `kept`: where numbers are kept, or null.
    template <class NumberAt>
    __device__ void images(const Squad& squad, TileMemory& memory, const NumberAt& number_at,
                           std::uint32_t* kept) const {
        constexpr std::uint32_t kTogether = sizeof(TileMemory::rows) / sizeof(std::uint32_t);
        constexpr unsigned kAhead = 8; // loads of a thread that wait together
        const std::uint32_t mine = (frame_.count + squad.size - 1 - squad.rank) / squad.size;
        const std::uint32_t entries = data_.shape.size();
        for (std::uint32_t done = 0; done < mine; done += kTogether) {
            const std::uint32_t some = min(kTogether, mine - done);
            const auto place = [&](std::uint32_t k) { return squad.rank + (done + k) * squad.size; };
            for (std::uint32_t k = squad.thread; k < some; k += kSquadThreads) {
                memory.rows[k] = number_at(place(k));
                if (kept != nullptr) kept[place(k)] = memory.rows[k];
            }
            squad.sync();
            for (std::uint32_t e = squad.thread; e < some * entries; e += kAhead * kSquadThreads) {
                std::uint8_t pixels[kAhead];
                float* to[kAhead];
#pragma unroll
                for (unsigned i = 0; i < kAhead; ++i) {
                    const std::uint32_t at = min(e + i * kSquadThreads, some * entries - 1);
                    const std::uint32_t k = at / entries, entry = at - k * entries;
                    to[i] = tape_.image(place(k)) + entry;
                    pixels[i] = data_.pixels[std::uint64_t{memory.rows[k]} * entries + entry];
                }
#pragma unroll
                for (unsigned i = 0; i < kAhead; ++i) {
                    if (e + i * kSquadThreads < some * entries)
                        *to[i] = static_cast<float>(pixels[i]) * (1.0f / 255.0f);
                }
            }
            squad.sync();
        }
    }

private:
    /// Of a layer without weights that no phase has code for: the loss shows it.
    static constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

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
        std::uint8_t* winners;  // likewise
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

    __device__ void forward(std::uint32_t l, const Squad& squad, TileMemory& memory) const {
        const Layer& layer = network_.layers[l];
        if (fused(l)) {
            const Pair pair = of_pair(l);
            const float* const weights = frame_.read + layer.weights;
            return conv_pool_forward(pair.shape, frame_.count, weights, squad, memory_of(memory), pixels(l),
                                     ToPooled{pair});
        }
        if (layer.normalises()) {
            const NormStep norm(layer, l, tape_, frame_.count, squad, memory.factors[0]);
            for (std::uint32_t unit = squad.rank; unit < norm.units().count(); unit += squad.size)
                norm.forward(unit, frame_.read);
            return;
        }
        if (!layer.weighted()) {
            return for_each_entry(layer.out, squad, [&](std::uint32_t i, std::uint32_t u) {
                tape_.output(i, l)[u] = output(layer, l, i, u);
            });
        }
        if (kGiven && layer.kind == LayerKind::kDense) {
            return for_each_entry(layer.out, squad, [&](std::uint32_t i, std::uint32_t u) {
                float& out = tape_.output(i, l)[u];
                const float sum = out + frame_.read[layer.biases() + u];
                out = with_activation(layer.activation,
                                      [=]<Activation kActivation>() { return activated<kActivation>(sum); });
            });
        }
        if (layer.kind == LayerKind::kDense) {
            const OfTape<false> inputs{tape_.input(0, l), stride(), frame_.count};
            const OfWeights<true> weights{frame_.read + layer.weights, layer.out.channels, layer.out.channels};
            const ToOutputs finish{tape_.output(0, l), {1, stride()}, layer.activation};
            const float* const biases = frame_.read + layer.biases();
            const DenseCut cut = frame_.tiles->cut(layer, l, DenseProduct::kOutputs, frame_.count);
            for (std::uint32_t tile = squad.rank; tile < cut.tiles(); tile += squad.size) {
                sum_dense_tile(cut, tile, inputs, weights, biases, layer.depth, squad, floats_of(memory), finish);
                if (joins_scores(frame_.fused, network_) && l + 1 == network_.count)
                    scores(tile * cut.rows + squad.thread, min((tile + 1) * cut.rows, frame_.count), kSquadThreads);
            }
            return;
        }
        const TilePlace place{frame_.count * layer.out.places(), layer.out.channels, layer.depth, 0, 0};
        const TileCut cut = cut_of_windows(place.rows, place.columns, frame_.squads);
        const PlainFactors factors{tape_.input(0, l), windows(layer), window(layer)};
        const TileRows rows{frame_.read + layer.weights, {1, layer.out.channels}};
        const ToOutputs finish{tape_.output(0, l), places(layer.out), layer.activation};
        for (std::uint32_t tile = squad.rank; tile < cut.tiles(); tile += squad.size)
            tiles(cut, tile, factors, rows, frame_.read + layer.biases(), place, squad, memory, finish);
    }

    /// Output u of sample i, of a layer without weights.
    __device__ float output(const Layer& layer, std::uint32_t l, std::uint32_t i, std::uint32_t u) const {
        const float* const in = tape_.input(i, l);
        switch (layer.kind) {
        case LayerKind::kPad: return padded(layer, in, u);
        case LayerKind::kMaxPool: return in[largest_of(layer, in, u)];
        case LayerKind::kMeanPool: return mean_of(layer, in, u);
        case LayerKind::kDropout: return in[u] * frame_.draws.factor(frame_.numbers[i], l, u, layer.rate);
        case LayerKind::kDense:
        case LayerKind::kConvolution:
        case LayerKind::kBatchNorm: break;
        }
        return kNoNumber;
    }

    /// Slopes along the scores of samples first, first + step, ... below end.
    __device__ void scores(std::uint32_t first, std::uint32_t end, std::uint32_t step) const {
        for (std::uint32_t i = first; i < end; i += step) {
            if constexpr (kGiven) add_biases(tape_.scores(i));
            Problem::slopes(tape_.scores(i), data_.classes, data_.labels[frame_.numbers[i]],
                            tape_.slopes(i, network_.count - 1));
        }
    }

    /// To a sample's scores, where they are a given product: a dense layer makes them.
    __device__ void add_biases(float* scores) const {
        const float* const biases = frame_.read + network_.last().biases();
        for (std::uint32_t u = 0; u < data_.classes; ++u) scores[u] += biases[u];
    }

    /// Slopes along the inputs of layer number l > 0, which are the outputs of the one before.
    __device__ void back(std::uint32_t l, const Squad& squad, TileMemory& memory) const {
        const Layer &layer = network_.layers[l], &before = network_.layers[l - 1];
        if (fused(l)) {
            const Pair pair = of_pair(l);
            const ToInput finish{tape_.slopes(0, l - 1), tape_.output(0, l - 1), stride(), layer.in, before.activation};
            return conv_pool_back(pair.shape, frame_.count, frame_.read + layer.weights, squad, memory_of(memory),
                                  Winners{pair}, finish);
        }
        if (layer.normalises()) {
            const NormStep norm(layer, l, tape_, frame_.count, squad, memory.factors[0]);
            for (std::uint32_t unit = squad.rank; unit < norm.units().count(); unit += squad.size)
                norm.back(unit, frame_.read, before.activation);
            return;
        }
        if (layer.kind == LayerKind::kMaxPool && windows_part(layer)) {
            return for_each_entry(layer.out, squad, [&](std::uint32_t i, std::uint32_t u) {
                max_pool_back_window(
                    layer, tape_.input(i, l), tape_.slopes(i, l)[u], u, tape_.slopes(i, l - 1),
                    [&](float output, float slope) { return through(before.activation, output, slope); });
            });
        }
        if (!layer.weighted()) {
            return for_each_entry(layer.in, squad, [&](std::uint32_t i, std::uint32_t u) {
                tape_.slopes(i, l - 1)[u] =
                    through(before.activation, tape_.output(i, l - 1)[u], input_slope(layer, l, i, u));
            });
        }
        if (kGiven && layer.kind == LayerKind::kDense) {
            return for_each_entry(layer.in, squad, [&](std::uint32_t i, std::uint32_t u) {
                float& slope = tape_.slopes(i, l - 1)[u];
                slope = through(before.activation, tape_.output(i, l - 1)[u], slope);
            });
        }
        const std::int64_t outputs = tape_.output(0, l - 1) - tape_.slopes(0, l - 1);
        const std::uint32_t channels = layer.out.channels;
        if (layer.kind == LayerKind::kDense) {
            const OfTape<false> slopes{tape_.slopes(0, l), stride(), frame_.count};
            const OfWeights<false> weights{frame_.read + layer.weights, channels, layer.depth};
            const ToSlopes finish{tape_.slopes(0, l - 1), {1, stride()}, outputs, before.activation};
            const DenseCut cut = frame_.tiles->cut(layer, l, DenseProduct::kSlopes, frame_.count);
            for (std::uint32_t tile = squad.rank; tile < cut.tiles(); tile += squad.size)
                sum_dense_tile(cut, tile, slopes, weights, nullptr, channels, squad, floats_of(memory), finish);
            return;
        }
        const TilePlace place{frame_.count * layer.in.places(), layer.in.channels,
                              layer.kernel * layer.kernel * channels, 0, 0};
        const TileCut cut = cut_of_windows(place.rows, place.columns, frame_.squads);
        const WindowFactors factors{tape_.slopes(0, l), stride(), layer.in, layer.out, layer.kernel, layer.stride};
        const TileRows rows{
            frame_.read + layer.weights, {channels, layer.in.channels * channels, channels, 0, 1}, channels};
        const ToSlopes finish{tape_.slopes(0, l - 1), places(layer.in), outputs, before.activation};
        for (std::uint32_t tile = squad.rank; tile < cut.tiles(); tile += squad.size)
            tiles(cut, tile, factors, rows, nullptr, place, squad, memory, finish);
    }

    /// Along input u of sample i, of a layer without weights.
    __device__ float input_slope(const Layer& layer, std::uint32_t l, std::uint32_t i, std::uint32_t u) const {
        const float* const slopes = tape_.slopes(i, l);
        switch (layer.kind) {
        case LayerKind::kPad: return slopes[within_border(layer, u)];
        case LayerKind::kMaxPool: return max_pool_slope(layer, tape_.input(i, l), slopes, u);
        case LayerKind::kMeanPool: return mean_pool_slope(layer, slopes, u);
        case LayerKind::kDropout: return slopes[u] * frame_.draws.factor(frame_.numbers[i], l, u, layer.rate);
        case LayerKind::kDense:
        case LayerKind::kConvolution:
        case LayerKind::kBatchNorm: break;
        }
        return kNoNumber;
    }

    __device__ void gradients(const Squad& squad, TileMemory& memory) const {
        const GradientParts parts(frame_.count, frame_.parts);
        std::uint32_t before = 0; // pieces of layers before
        float* of_layer = frame_.of_parts;
        // This squad's first piece of a layer, as if all layers' pieces were one list.
        const auto first_piece = [&] { return (squad.rank + squad.size - before % squad.size) % squad.size; };
        for (std::uint32_t l = 0; l < network_.count; ++l) {
            const Layer& layer = network_.layers[l];
            if (!kGiven && layer.normalises()) {
                write_normalising(layer, l, first_piece(), squad, memory);
                before += NormUnits(layer, frame_.count).blocks;
            }
            if (!layer.weighted()) continue;
            const bool slides = layer.kind == LayerKind::kConvolution;
            if (kGiven && !slides) continue;
            const DenseCut cut = frame_.tiles->cut(layer, l, DenseProduct::kGradient, frame_.count);
            const std::uint32_t of_part = fused(l) ? GradientBlocks(of_pair(l).shape).count()
                                          : slides ? cut_of_gradient(layer).tiles()
                                                   : cut.tiles();
            const std::uint32_t pieces = of_part * (slides ? parts.parts : 1);
            for (std::uint32_t piece = first_piece(); piece < pieces; piece += squad.size) {
                if (!slides) {
                    dense_gradient(layer, l, cut, piece, squad, memory);
                    continue;
                }
                const std::uint32_t part = piece / of_part, first = part * parts.samples;
                const std::uint32_t count = min(parts.samples, frame_.count - first);
                float* const to = of_layer + std::uint64_t{part} * layer.rows() * layer.out.channels;
                if (fused(l)) {
                    const Pair pair = of_pair(l);
                    conv_pool_gradient(pair.shape, piece % of_part, first, first + count, squad, memory_of(memory),
                                       pixels(l), Winners{pair}, ToPart{to, layer.out.channels});
                } else {
                    gradient(layer, l, piece % of_part, first, count, to, squad, memory);
                }
            }
            before += pieces;
            if (slides) of_layer += std::uint64_t{parts.parts} * layer.rows() * layer.out.channels;
        }
    }

    /// A tile of a dense layer's gradient, whose last row is the biases'.
    __device__ void dense_gradient(const Layer& layer, std::uint32_t l, const DenseCut& cut, std::uint32_t tile,
                                   const Squad& squad, TileMemory& memory) const {
        const OfTape<true, true> inputs{tape_.input(0, l), stride(), layer.rows()};
        const OfTape<true> slopes{tape_.slopes(0, l), stride(), layer.out.channels};
        sum_dense_tile(cut, tile, inputs, slopes, nullptr, frame_.count, squad, floats_of(memory),
                       to_weights(l, nullptr));
    }

    /// A tile of a convolution's gradient of samples [first, first + count).
    __device__ void gradient(const Layer& layer, std::uint32_t l, std::uint32_t tile, std::uint32_t first,
                             std::uint32_t count, float* part, const Squad& squad, TileMemory& memory) const {
        const TilePlace place{layer.rows(), layer.out.channels, count * layer.out.places(), 0, 0};
        const PlainFactors factors{tape_.input(first, l), window(layer), windows(layer), layer.depth};
        const TileRows rows{tape_.slopes(first, l), places(layer.out)};
        tiles(cut_of_gradient(layer), tile, factors, rows, nullptr, place, squad, memory, to_weights(l, part));
    }

    /// Gamma and beta along their gradients, running statistics towards the batch's.
    __device__ void write_normalising(const Layer& layer, std::uint32_t l, std::uint32_t first, const Squad& squad,
                                      TileMemory& memory) const {
        const NormStep norm(layer, l, tape_, frame_.count, squad, memory.factors[0]);
        const ToWeights learn = to_weights(l, nullptr);
        ToWeights run = learn;
        run.rule = nullptr;
        run.factor = BatchNorm::kRunningRate;
        for (std::uint32_t piece = first; piece < norm.units().blocks; piece += squad.size) {
            norm.write(piece, frame_.weights, [&](std::uint32_t entry, float way, bool runs) {
                runs ? run.add(entry, way) : learn.add(entry, way);
            });
        }
    }

    __device__ void join_parts(const Squad& squad, TileMemory& memory) const {
        const GradientParts parts(frame_.count, frame_.parts);
        const float* of_layer = frame_.of_parts;
        for (std::uint32_t l = 0; l < network_.count; ++l) {
            const Layer& layer = network_.layers[l];
            if (kGiven && layer.kind == LayerKind::kDense) add_given(layer, l, squad);
            if (kGiven && layer.normalises()) write_normalising(layer, l, squad.rank, squad, memory);
            if (layer.kind != LayerKind::kConvolution) continue;
            const std::uint32_t size = layer.rows() * layer.out.channels;
            const ToWeights finish = to_weights(l, nullptr);
            for (std::uint32_t at = squad.rank * kSquadThreads + squad.thread; at < size;
                 at += squad.size * kSquadThreads) {
                float sum = 0;
                for (std::uint32_t p = 0; p < parts.parts; ++p) sum += of_layer[std::uint64_t{p} * size + at];
                finish.add(at, sum);
            }
            of_layer += std::uint64_t{parts.parts} * size;
        }
    }

    /// The gradient of a dense layer. That of a bias is added up by a warp, of the squads that have the fewest entries.
    __device__ void add_given(const Layer& layer, std::uint32_t l, const Squad& squad) const {
        const ToWeights finish = to_weights(l, nullptr);
        const std::uint32_t columns = layer.out.channels, biases = layer.depth * columns;
        constexpr unsigned kWarps = kSquadThreads / kWarp;
        const unsigned from_last = squad.size - 1 - squad.rank;
        for (std::uint32_t u = from_last * kWarps + squad.thread / kWarp; u < columns; u += squad.size * kWarps) {
            float sum = 0;
#pragma unroll 4
            for (std::uint32_t i = lane(); i < frame_.count; i += kWarp) sum += tape_.slopes(i, l)[u];
            sum = warp_sum(sum);
            if (lane() == 0) finish.add(biases + u, sum);
        }
        for (std::uint32_t at = squad.rank * kSquadThreads + squad.thread; at < biases;
             at += squad.size * kSquadThreads)
            finish.add(at, frame_.gradient[layer.weights + at]);
    }

    const ImagesView& data_;
    const NetworkShape& network_;
    const Frame& frame_;
    NetworkTape tape_;
};

} // namespace hogwild::device
