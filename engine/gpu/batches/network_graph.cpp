#include "engine/gpu/batches/network_graph.h"

#include "engine/plan/choices.h"
#include "kernels/network/layers/tape.h"

namespace hogwild {
namespace {

/// Whether the products that a phase is given leave it nothing to do.
bool is_done(const NetworkShape& network, const NetworkPhase& phase) {
    const Layer& layer = network.layers[phase.layer];
    const bool dense = layer.kind == LayerKind::kDense;
    switch (phase.kind) {
    case PhaseKind::kForward: return phase.layer + 1 == network.count; // scores take its biases
    case PhaseKind::kBack: return dense && network.layers[phase.layer - 1].activation == Activation::kNone;
    case PhaseKind::kGradient: return !convolves(network);
    case PhaseKind::kImages:
    case PhaseKind::kScores:
    case PhaseKind::kParts:
    case PhaseKind::kEnd: break;
    }
    return false;
}

} // namespace

NetworkGraph::NetworkGraph(const Plan& plan, const DevicePass& pass, NetworkGraphPhase launch, const Stream& stream)
    : stream_(stream),
      launch_(launch),
      products_(stream, uses_tf32(plan) ? Precision::kTf32 : Precision::kFloat32),
      turn_(zeros<NetworkTurn>(1)),
      step_(pass) {
    step_.turn = turn_.data();
    put_step(); // of no samples: cuBLAS loads its code before it is captured
    stream_.wait();
    one_ = CapturedGraph(stream_, [&] { put_step(); });
    together_ = CapturedGraph(stream_, [&] {
        for (std::uint32_t k = 0; k < kTogether; ++k) put_step();
    });
}

void NetworkGraph::launch(const NetworkTurn::Stretch& stretch) const {
    check(give_stretch(turn_.data(), stretch, stream_.get()), "giving a worker its samples");
    if (stretch.count == 0) {
        one_.launch(stream_);
        together_.launch(stream_);
        return;
    }
    std::uint32_t steps = (stretch.count - 1) / step_.teams.most + 1;
    for (; steps >= kTogether; steps -= kTogether) together_.launch(stream_);
    for (; steps > 0; --steps) one_.launch(stream_);
}

void NetworkGraph::put_step() const {
    const NetworkShape& network = step_.data.network();
    put({PhaseKind::kImages, 0}, false);
    bool ours = true; // what was put last
    for (std::uint32_t number = 1; number <= 2 * network.count + 1; ++number) {
        const NetworkPhase phase = phase_at(network, number);
        if (is_empty(network, step_.teams.fused, phase)) continue;
        if (put_products(phase)) ours = false;
        if (is_done(network, phase)) continue;
        put(phase, ours);
        ours = true;
    }
    put({PhaseKind::kParts, 0}, ours);
    put({PhaseKind::kEnd, 0}, true);
}

void NetworkGraph::put(const NetworkPhase& phase, bool overlaps) const {
    check(launch_(step_, phase, overlaps, stream_.get()), "launching a phase of a step");
}

/// Those of dense layers that the phase wants; whether there are any.
bool NetworkGraph::put_products(const NetworkPhase& phase) const {
    const NetworkShape& network = step_.data.network();
    const TeamMemory own(step_.data, step_.teams, 0);
    const NetworkTape tape(step_.data, own.tape());
    const std::uint64_t batch = step_.teams.most, stride = tape.stride();
    const auto inputs = [&](std::uint32_t l) {
        return DenseFactor{tape.input(0, l), batch, network.layers[l].depth, stride};
    };
    const auto slopes = [&](std::uint32_t l) {
        return DenseFactor{tape.slopes(0, l), batch, network.layers[l].out.channels, stride};
    };
    const auto weights = [&](std::uint32_t l) {
        const Layer& layer = network.layers[l];
        return DenseFactor{own.copy() + layer.weights, layer.depth, layer.out.channels, layer.out.channels};
    };
    const auto turned = [](DenseFactor factor) {
        factor.turned = true;
        return factor;
    };
    const auto dense = [&](std::uint32_t l) { return network.layers[l].kind == LayerKind::kDense; };
    const std::uint32_t l = phase.layer;
    if (phase.kind == PhaseKind::kForward && dense(l)) {
        products_.multiply(inputs(l), weights(l), tape.output(0, l), stride);
        return true;
    }
    if (phase.kind == PhaseKind::kBack && dense(l)) {
        products_.multiply(slopes(l), turned(weights(l)), tape.slopes(0, l - 1), stride);
        return true;
    }
    if (phase.kind != PhaseKind::kGradient) return false;
    bool any = false;
    for (std::uint32_t k = 0; k < network.count; ++k) {
        if (!dense(k)) continue;
        products_.multiply(turned(inputs(k)), slopes(k), own.gradient() + network.layers[k].weights,
                           network.layers[k].out.channels);
        any = true;
    }
    return any;
}

} // namespace hogwild
