// An update policy, its scope and a probe as values. Steps that use them are so long that a choice among them costs
// nothing beside an increment. So one kernel serves all.
#pragma once

#include "kernels/cuda/probes/none.cuh"
#include "kernels/cuda/probes/staleness.cuh"
#include "kernels/cuda/updates/catalog.cuh"
#include "kernels/network/layer_choices.h"
#include "kernels/network/layers/layer_updates.h"

#include <concepts>
#include <cstddef>
#include <string_view>
#include <variant>

namespace hogwild::device {

/// Whether each policy of layers has its number among a GPU's.
constexpr bool layers_number_policies() {
    for (const std::string_view name : catalog::names<LayerPolicies>) {
        if (catalog::find<DeviceUpdates<Scope::kDevice>>(name) != catalog::find<LayerPolicies>(name)) return false;
    }
    return true;
}
static_assert(layers_number_policies(), "policies of layers come first in DeviceUpdates, in their order");

class StepPolicy {
public:
    template <class Update, Scope S, class Probe>
    static constexpr StepPolicy of() {
        StepPolicy policy;
        policy.update_ = static_cast<Number>(catalog::find<DeviceUpdates<S>>(Update::name));
        policy.scope_ = S;
        policy.measures_ = !std::same_as<Probe, NoProbe>;
        policy.counts_ = std::same_as<Probe, StalenessProbe<true>>;
        return policy;
    }

    /// With the policy of a layer (LayerChoices) in place of the run's.
    __device__ StepPolicy with(std::uint8_t of_layer) const {
        static_assert(std::variant_size_v<LayerPolicies> <= LayerChoices::kPolicies);
        StepPolicy policy = *this;
        if (of_layer != LayerUpdate::kOfRun) policy.update_ = of_layer;
        return policy;
    }

    __device__ void add(float& coordinate, float by) const {
        scope_ == Scope::kDevice ? add_within<Scope::kDevice>(coordinate, by)
                                 : add_within<Scope::kSystem>(coordinate, by);
    }

    /// Staleness of every step.
    __device__ bool measures() const { return measures_; }
    /// And every increment, into a shadow of the weights; none where nothing is written.
    __device__ bool counts() const { return counts_ && update_ != kNoop; }

private:
    using Number = unsigned char; // of a policy among DeviceUpdates
    static constexpr Number kNoop = catalog::find<DeviceUpdates<Scope::kDevice>>(hogwild::Noop::name);
    static constexpr Number kAtomic = catalog::find<DeviceUpdates<Scope::kDevice>>(hogwild::AtomicAdd::name);

    template <Scope S>
    __device__ void add_within(float& coordinate, float by) const {
        static_assert(kDeviceUpdates <= 4, "a case for each");
        switch (update_) {
        case 0: return add_by<S, 0>(coordinate, by);
        case 1: return add_by<S, 1>(coordinate, by);
        case 2: return add_by<S, 2>(coordinate, by);
        case 3: return add_by<S, 3>(coordinate, by);
        }
    }

    template <Scope S, std::size_t I>
    __device__ static void add_by(float& coordinate, float by) {
        if constexpr (I < kDeviceUpdates) DeviceUpdate<S, I>::add(coordinate, by);
    }

    Number update_ = kAtomic;
    Scope scope_ = Scope::kDevice;
    bool measures_ = false, counts_ = false;
};

} // namespace hogwild::device
