// The gradients of a team's step on a batch of images (kernels/cuda/network/network_step.cuh), piece by piece, and what
// becomes of them. Gradients of dense layers go to the weights at once. Those of convolutions are made in parts of the
// batch, and a phase of its own adds them up.
//
// Products of dense layers may be a library's (`kGiven`): then they are added with the parts.
#pragma once

#include "kernels/cuda/network/network_places.cuh"
#include "kernels/cuda/network/norm_step.cuh"
#include "kernels/cuda/rows/warp_row.cuh"

#include <cstdint>

namespace hogwild::device {

class NetworkGradients : public NetworkPlaces {
protected:
    using NetworkPlaces::NetworkPlaces;

    template <bool kGiven>
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

    template <bool kGiven>
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

private:
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
};

} // namespace hogwild::device
