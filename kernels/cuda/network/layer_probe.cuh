// Staleness of single layers of a network on a GPU: counts as those of CPU threads (kernels/probes/layers.h), of the device's steps.
//
// What differs is when a layer has been written. A thread writes layer after layer. Here one phase makes all dense
// layers' increments and another all convolutions', by whatever squads are free. So layers of a kind count as written
// together, once their phase is over. Layers that are read in place are looked at phase by phase. Copies are looked at
// once, all layers together. All threads of a warp call these: lane l has layer number l. Cost: nothing where there are
// no counts. Otherwise two accesses to a shared line for each layer of a step; those of all layers go side by side.
#pragma once

#include "kernels/cuda/pass.h"
#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/cuda/step_through.cuh"
#include "kernels/network/network.h"
#include "kernels/numbers/histogram.h"

#include <cstdint>

namespace hogwild::device {

class LayerProbe {
public:
    /// `at_read`: the worker's own, a number for each layer.
    __device__ LayerProbe(const DeviceTelemetry& telemetry, const NetworkShape& network, std::uint32_t* at_read)
        : telemetry_(telemetry), network_(network), at_read_(at_read) {}

    /// Before weights of layer number `first` or of one behind it are read.
    __device__ void read(std::uint32_t first) const {
        if (counts() && lane() >= first)
            at_read_[lane()] = static_cast<std::uint32_t>(relaxed_count(&telemetry_.layers[lane()].writes));
    }

    /// All increments of layers of this kind are made.
    __device__ void wrote(LayerKind kind) const {
        if (!counts() || network_.layers[lane()].kind != kind) return;
        LayerCounts& layer = telemetry_.layers[lane()];
        const auto others = static_cast<std::uint32_t>(atomicAdd(&layer.writes, 1ULL));
        const std::uint32_t stale = others - at_read_[lane()]; // of counts that may have gone round
        atomicAdd(layer.buckets + Histogram::bucket(stale), 1ULL);
        atomicAdd(&layer.sum, static_cast<unsigned long long>(stale));
        atomicMax(&layer.most, static_cast<unsigned long long>(stale));
    }

private:
    static_assert(NetworkShape::kMostLayers <= kWarp);

    __device__ bool counts() const {
        return telemetry_.layers != nullptr && lane() < network_.count && network_.layers[lane()].weighted();
    }

    const DeviceTelemetry& telemetry_;
    const NetworkShape& network_;
    std::uint32_t* at_read_;
};

} // namespace hogwild::device
