// The locks of all the sample's coordinates, held from before the read to after the write. Every step sees a consistent
// sample, and the run is serial SGD in some order.
#pragma once

#include "kernels/updates/guards/stripes.h"
#include "kernels/updates/guards/traits.h"

#include <string_view>

namespace hogwild {

class LockedRead {
public:
    static constexpr std::string_view name = "locked-read";
    static constexpr GuardTraits kTraits{.alone = true, .locks = GuardTraits::Locks::kStriped};

    explicit LockedRead(WorkerContext& context) : stripes_(context) {}

    void before_read(const auto& sample) { stripes_.take_all(sample); }
    void before_write(const auto&) {}
    void after_write(const auto& sample) { stripes_.release_all(sample); }
    void nothing_to_write(const auto& sample) { stripes_.release_all(sample); }

private:
    Stripes stripes_;
};

} // namespace hogwild
