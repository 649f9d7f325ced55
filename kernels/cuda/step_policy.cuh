// An update policy, its scope and a probe as values, for steps so long that a choice among them costs nothing beside an increment:
// one kernel then serves all.
#pragma once

#include "kernels/cuda/probes/none.cuh"
#include "kernels/cuda/probes/staleness.cuh"
#include "kernels/cuda/updates/atomic_add.cuh"
#include "kernels/cuda/updates/noop.cuh"
#include "kernels/cuda/updates/racy.cuh"
#include "kernels/network/layer_choices.h"
#include "kernels/network/layer_updates.h"

#include <concepts>
#include <variant>

namespace hogwild::device {

class StepPolicy {
public:
    template <class Update, Scope S, class Probe>
    static constexpr StepPolicy of() {
        StepPolicy policy;
        policy.update_ = std::same_as<Update, Racy<S>>        ? Kind::kRacy
                         : std::same_as<Update, AtomicAdd<S>> ? Kind::kAtomic
                                                              : Kind::kNoop;
        policy.scope_ = S;
        policy.measures_ = !std::same_as<Probe, NoProbe>;
        policy.counts_ = std::same_as<Probe, StalenessProbe<true>>;
        return policy;
    }

    /// With the policy of a layer (LayerChoices) in place of the run's.
    __device__ StepPolicy with(std::uint8_t of_layer) const {
        static_assert(std::same_as<LayerPolicies, std::variant<hogwild::Racy, hogwild::AtomicAdd, hogwild::Noop>>,
                      "LayerPolicies are numbered as kinds are");
        static_assert(std::variant_size_v<LayerPolicies> <= LayerChoices::kPolicies);
        StepPolicy policy = *this;
        if (of_layer != LayerUpdate::kOfRun) policy.update_ = static_cast<Kind>(of_layer);
        return policy;
    }

    __device__ void add(float& coordinate, float by) const {
        scope_ == Scope::kDevice ? add_within<Scope::kDevice>(coordinate, by)
                                 : add_within<Scope::kSystem>(coordinate, by);
    }

    /// Staleness of every step.
    __device__ bool measures() const { return measures_; }
    /// And every increment, into a shadow of the weights; none where nothing is written.
    __device__ bool counts() const { return counts_ && update_ != Kind::kNoop; }

private:
    enum class Kind : unsigned char { kRacy, kAtomic, kNoop };

    template <Scope S>
    __device__ void add_within(float& coordinate, float by) const {
        switch (update_) {
        case Kind::kRacy: return Racy<S>::add(coordinate, by);
        case Kind::kAtomic: return AtomicAdd<S>::add(coordinate, by);
        case Kind::kNoop: return Noop<S>::add(coordinate, by);
        }
    }

    Kind update_ = Kind::kAtomic;
    Scope scope_ = Scope::kDevice;
    bool measures_ = false, counts_ = false;
};

} // namespace hogwild::device
