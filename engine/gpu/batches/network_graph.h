// A Hogwild! worker on a network that is a stream. It replays a captured graph of its step
// (kernels/cuda/network/network_graph.h), whose products of dense layers are cuBLAS's. Only in builds with CUDA.
//
// Everything but the weights that all workers share is its own: what a step reads and makes, cuBLAS's handle and workspace.
// Thread-safety: one thread at a time. Errors: throws Error.
#pragma once

#include "engine/gpu/batches/captured_graph.h"
#include "engine/gpu/batches/dense_products.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/stream.h"
#include "kernels/cuda/network/network_graph.h"
#include "kernels/cuda/pass.h"

#include <cstdint>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class NetworkGraph {
public:
    /// `pass`: what it borrows, its memory among it. The stream outlives it.
    NetworkGraph(const Plan& plan, const DevicePass& pass, NetworkGraphPhase launch, const Stream& stream);

    /// Puts the steps of the stretch behind what the stream was given before; of an empty one, some that do nothing.
    void launch(const NetworkTurn::Stretch& stretch) const;

private:
    static constexpr std::uint32_t kTogether = 16; // steps of the graph that most launches take

    void put_step() const;
    void put(const NetworkPhase& phase, bool overlaps) const;
    bool put_products(const NetworkPhase& phase) const;

    const Stream& stream_;
    NetworkGraphPhase launch_;
    DenseProducts products_;
    DeviceArray<NetworkTurn> turn_;
    NetworkGraphStep step_;
    CapturedGraph one_, together_;
};

} // namespace hogwild
