// Staleness of single layers of a network. A step reads layer after layer on its way forward, and writes them, after
// its way back, in the same order. So each layer has a time of its own in which others write it.
//
// Each layer has a count, shared by all workers, of steps that wrote it. Say that a step finds r before it first reads
// the layer, and is the one after t others when it has written it. Its staleness there is t - r: its own steps never
// come in between.
//
// Memory order: relaxed, since the counts order nothing but themselves. Cost: two looks at a shared line for each layer of a step.
// Without counts nothing is recorded. Thread-safety: any number of workers, each with its own context.
#pragma once

#include "kernels/network/network.h"
#include "kernels/worker_context.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

namespace hogwild {

class LayerProbe {
public:
    explicit LayerProbe(const WorkerContext& context)
        : writes_(context.layer_writes), staleness_(context.layer_staleness) {}

    /// Before the layer's weights are read.
    void read(std::uint32_t layer) {
        if (!writes_.empty()) at_read_[layer] = writes_[layer].value.load(std::memory_order_relaxed);
    }

    /// Its increments are written.
    void wrote(std::uint32_t layer) const {
        if (writes_.empty()) return;
        const std::uint64_t others = writes_[layer].value.fetch_add(1, std::memory_order_relaxed);
        staleness_[layer].add(others - at_read_[layer]);
    }

private:
    std::span<PublishedCount> writes_;
    std::span<Histogram> staleness_;
    std::array<std::uint64_t, NetworkShape::kMostLayers> at_read_{};
};

} // namespace hogwild
