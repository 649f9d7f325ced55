// Borrowed memory: what a team of thread blocks (kernels/cuda/network/block_team.cuh) needs of its own for steps on a network.
// Readable by the host compiler.
//
// These lie one after another, each from a line of its own on:
// - the team's turn,
// - what it saw of each layer's writes (kernels/cuda/network/layer_probe.cuh),
// - the numbers of its batch's samples,
// - their tape (kernels/network/layers/tape.h),
// - parts of the gradients of convolutions,
// - a copy of the weights where steps are to read one,
// - where a library makes the gradient of dense layers: a gradient, each weight's at its coordinate,
// - where teams have replicas: the team's own, and what that was after the last exchange.
// Thread-safety: belongs to one team.
#pragma once

#include "kernels/annotate.h"
#include "kernels/cuda/network/device_images.h"
#include "kernels/cuda/network/device_optimizer.h"
#include "kernels/cuda/network/replica_rule.h"
#include "kernels/cuda/products/dense_cut.h"
#include "kernels/network/layer_choices.h"
#include "kernels/network/layers/tape.h"
#include "kernels/steps/staleness_rule.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

/// Blocks of a team where so many are launched: the largest power of two up to eight that divides them.
constexpr unsigned blocks_of_team(unsigned blocks) {
    unsigned size = 8;
    while (blocks % size != 0) size /= 2;
    return size;
}

/// What the teams of a launch share.
struct Teams {
    std::uint32_t most = 1;  // samples of a step, at most
    std::uint32_t parts = 1; // at most, of a convolution's gradient
    bool copies = false;     // weights are copied before they are computed with
    bool given = false;      // products of dense layers are a library's (kernels/cuda/network/network_graph.h)
    std::uint32_t fused =
        0;                  // layers that are taken together with the one after (kernels/cuda/network/network_phases.h)
    DenseTiles tiles;       // of products that are not given
    std::uint64_t seed = 0; // of the run
    float* memory = nullptr;  // on the device
    std::uint64_t floats = 0; // of each team
    DeviceOptimizer optimizer{};
    ReplicaRule replicas;
    LayerChoices layers; // whose update policy is not the launch's
    StalenessRule rule = StalenessRule::kNone;
    std::uint32_t limit = 0;                // of the rule
    unsigned long long* dropped = nullptr;  // steps, by the rule
    unsigned long long* consumed = nullptr; // samples of each team, of all launches of its stream
    std::uint32_t step_of = 0; // not 0: a pace's step is that of so many samples, and of others in proportion
};

class TeamMemory {
public:
    /// What a team does next.
    struct Turn {
        std::uint32_t claimed = 0; // piece of the launch
        std::uint64_t now = 0;     // samples that all workers had consumed
        std::uint64_t number = 0;  // of the step, on the optimiser's state
        float share = 1;           // of the step, by its staleness
    };

    HOGWILD_HOST_DEVICE TeamMemory(const DeviceImages& data, const Teams& teams, std::uint32_t team)
        : data_(data), teams_(teams), at_(teams.memory + team * teams.floats) {}

    HOGWILD_HOST_DEVICE Turn& turn() const { return *reinterpret_cast<Turn*>(at_); }
    HOGWILD_HOST_DEVICE std::uint32_t* layers_at_read() const { return reinterpret_cast<std::uint32_t*>(at_ + kLine); }
    HOGWILD_HOST_DEVICE std::uint32_t* numbers() const {
        return reinterpret_cast<std::uint32_t*>(at_ + before_numbers());
    }
    HOGWILD_HOST_DEVICE float* tape() const { return at_ + before_tape(teams_); }
    HOGWILD_HOST_DEVICE float* parts() const { return at_ + before_parts(data_, teams_); }
    HOGWILD_HOST_DEVICE float* copy() const { return at_ + before_copy(data_, teams_); }
    HOGWILD_HOST_DEVICE float* gradient() const { return at_ + before_gradient(data_, teams_); }
    HOGWILD_HOST_DEVICE float* replica() const { return at_ + before_replica(data_, teams_); }
    HOGWILD_HOST_DEVICE float* base() const { return replica() + lines(data_.coordinates()); }

    /// Floats of a team.
    HOGWILD_HOST_DEVICE static std::uint64_t size(const auto& data, const Teams& teams) {
        return before_replica(data, teams) + (teams.replicas.any() ? 2 * lines(data.coordinates()) : 0);
    }

    /// Weights of convolutions, whose gradients are made in parts.
    HOGWILD_HOST_DEVICE static std::uint32_t part_floats(const NetworkShape& network) {
        std::uint32_t floats = 0;
        for (std::uint32_t l = 0; l < network.count; ++l) {
            const Layer& layer = network.layers[l];
            if (layer.kind == LayerKind::kConvolution) floats += layer.rows() * layer.out.channels;
        }
        return floats;
    }

private:
    static constexpr std::uint64_t kLine = 32; // floats
    static_assert(sizeof(Turn) <= kLine * sizeof(float) && NetworkShape::kMostLayers <= kLine);

    HOGWILD_HOST_DEVICE static std::uint64_t lines(std::uint64_t floats) {
        return (floats + kLine - 1) / kLine * kLine;
    }
    HOGWILD_HOST_DEVICE static std::uint64_t before_numbers() { return 2 * kLine; }
    HOGWILD_HOST_DEVICE static std::uint64_t before_tape(const Teams& teams) {
        return before_numbers() + lines(teams.most);
    }
    HOGWILD_HOST_DEVICE static std::uint64_t before_parts(const auto& data, const Teams& teams) {
        return before_tape(teams) + lines(std::uint64_t{teams.most} * NetworkTape::size(data));
    }
    HOGWILD_HOST_DEVICE static std::uint64_t before_copy(const auto& data, const Teams& teams) {
        return before_parts(data, teams) + lines(std::uint64_t{teams.parts} * part_floats(data.network()));
    }
    HOGWILD_HOST_DEVICE static std::uint64_t before_gradient(const auto& data, const Teams& teams) {
        return before_copy(data, teams) + (teams.copies ? lines(data.coordinates()) : 0);
    }
    HOGWILD_HOST_DEVICE static std::uint64_t before_replica(const auto& data, const Teams& teams) {
        return before_gradient(data, teams) + (teams.given ? lines(data.coordinates()) : 0);
    }

    const DeviceImages& data_;
    const Teams& teams_;
    float* at_;
};

} // namespace hogwild
