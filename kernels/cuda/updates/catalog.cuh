// The registry of update policies that have a form for a GPU, each by the name of its form for the CPU (kernels/catalog.h).
//
// To add one: its header here, its include and its entry at the end of `DeviceUpdates`.
#pragma once

#include "kernels/catalog.h"
#include "kernels/cuda/memory/scope.h"
#include "kernels/cuda/updates/atomic_add.cuh"
#include "kernels/cuda/updates/noop.cuh"
#include "kernels/cuda/updates/racy.cuh"

#include <cstddef>
#include <variant>

namespace hogwild::device {

// Never instantiated. Those of LayerPolicies (kernels/network/layers/layer_updates.h), which number them, come first, in their order.
template <Scope S>
using DeviceUpdates = std::variant<Racy<S>, AtomicAdd<S>, Noop<S>>;

inline constexpr std::size_t kDeviceUpdates = std::variant_size_v<DeviceUpdates<Scope::kDevice>>;

template <Scope S, std::size_t I>
using DeviceUpdate = std::variant_alternative_t<I, DeviceUpdates<S>>;

/// Whether those on the list are those that say so (UpdateTraits::on_gpu).
constexpr bool all_are_listed() {
    for (const std::string_view name : catalog::names<Updates>) {
        const bool listed = catalog::find<DeviceUpdates<Scope::kDevice>>(name) < kDeviceUpdates;
        if (listed != update_traits(name).on_gpu) return false;
    }
    return true;
}
static_assert(all_are_listed(), "a policy has a GPU form and does not say so, or says so and has none");

} // namespace hogwild::device
