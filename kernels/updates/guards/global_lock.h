// One lock for the whole buffer, held over the update loop only. No increment is lost, and no two workers ever write at
// the same time.
#pragma once

#include "kernels/updates/guards/stripes.h"
#include "kernels/updates/guards/traits.h"

#include <string_view>

namespace hogwild {

class GlobalLock {
public:
    static constexpr std::string_view name = "global-lock";
    static constexpr GuardTraits kTraits{.locks = GuardTraits::Locks::kOne};

    explicit GlobalLock(WorkerContext& context) : lock_(context.locks[0]), yields_(context.yields) {}

    void before_read(const auto&) {}
    void before_write(const auto&) { take(lock_, yields_); }
    void after_write(const auto&) { release(lock_); }
    void nothing_to_write(const auto&) {}

private:
    LockWord& lock_;
    bool yields_;
};

} // namespace hogwild
