// A team's step on a batch of images. It is the step of kernels/patterns/image_batches.h. Its phases
// (kernels/cuda/network/network_phases.h) are cut into pieces that squads of its threads share out.
//
// Sums of dense layers are the host's to the bit. Those of convolutions' slopes and gradients are added in another
// order. Weights may be read and written by others meanwhile. Increments go entry by entry through the policy, zeros
// not at all. Products of dense layers may be a library's (`kGiven`), made before the phase that wants them. What is
// left of that phase is then done entry by entry.
#pragma once

#include "kernels/cuda/network/network_gradients.cuh"
#include "kernels/network/layers/max_pool.h"
#include "kernels/network/layers/mean_pool.h"
#include "kernels/network/layers/pad.h"

#include <cstdint>
#include <limits>

namespace hogwild::device {

template <class Problem, bool kGiven = false>
class NetworkStep : public NetworkGradients {
public:
    using NetworkGradients::NetworkGradients;

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
        if constexpr (kKind == PhaseKind::kGradient) gradients<kGiven>(squad, memory);
        if constexpr (kKind == PhaseKind::kParts) join_parts<kGiven>(squad, memory);
    }

    /// The images of this squad's samples onto the tape; number_at(i): of the batch's sample i. `kept`: where numbers are kept, or
    /// null.
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
    /// What a layer without weights makes that no phase has code for: the loss shows it.
    static constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

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
};

} // namespace hogwild::device
