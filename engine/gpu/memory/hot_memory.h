// What blocks that copy the hottest coordinates of a plan's run are told of them (kernels/cuda/pass.h).
//
// Thread-safety: none. Errors: as device memory's (engine/gpu/memory/device_memory.h).
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "kernels/cuda/pass.h"
#include "kernels/views/any_view.h"

#include <cstdint>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class HotMemory {
public:
    HotMemory(const Plan& plan, const AnyView& data);

    /// Not longer than this lives. No copies where the plan has none.
    const HotExchange& exchange() const { return exchange_; }

private:
    DeviceArray<std::uint32_t> slots_, coordinates_;
    HotExchange exchange_;
};

} // namespace hogwild
