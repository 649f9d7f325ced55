// AIG of the paper: the locks of all the sample's coordinates, held over the update loop only. The gradient is read
// unlocked, so it may mix old and new coordinates, but no increment is lost.
// Source: Recht et al. 2011, section 6 ("AIG").
#pragma once

#include "kernels/updates/guards/stripes.h"
#include "kernels/updates/guards/traits.h"

#include <string_view>

namespace hogwild {

class Locked {
public:
    static constexpr std::string_view name = "locked";
    static constexpr GuardTraits kTraits{.locks = GuardTraits::Locks::kStriped};

    explicit Locked(WorkerContext& context) : stripes_(context) {}

    void before_read(const auto&) {}
    void before_write(const auto& sample) { stripes_.take_all(sample); }
    void after_write(const auto& sample) { stripes_.release_all(sample); }
    void nothing_to_write(const auto&) {}

private:
    Stripes stripes_;
};

} // namespace hogwild
