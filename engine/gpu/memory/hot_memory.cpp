#include "engine/gpu/memory/hot_memory.h"

#include "engine/data/ratings/hot_groups.h"
#include "engine/data/sparse/placement.h"
#include "engine/gpu/device_dataset.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <vector>

namespace hogwild {
namespace {

DeviceArray<std::uint32_t> on_device(const std::vector<std::uint32_t>& numbers) {
    DeviceArray<std::uint32_t> device(numbers.size());
    upload(device.data(), numbers.data(), numbers.size() * sizeof(std::uint32_t));
    return device;
}

} // namespace

HotMemory::HotMemory(const Plan& plan, const AnyView& data) {
    exchange_.rule = static_cast<float>(plan.hot.rule);
    if (plan.hot.count == 0) return;
    if (is_linear(plan.problem)) {
        exchange_.hot = std::min(plan.hot.count, data.coordinates());
        exchange_.shift = hot_shift(plan.placement, data.coordinates(), exchange_.hot);
        return;
    }
    const HotGroups groups = hot_groups(plan.hot.count, data);
    slots_ = on_device(groups.slots);
    coordinates_ = on_device(groups.coordinates);
    exchange_.hot = static_cast<std::uint32_t>(groups.coordinates.size());
    exchange_.slots = slots_.data();
    exchange_.coordinates = coordinates_.data();
}

} // namespace hogwild
