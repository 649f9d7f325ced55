// The registry of guards, as kernels/catalog.h is that of problems and update policies.
//
// To add a guard: one header under kernels/updates/guards/, its include and its entry in `Guards`.
#pragma once

#include "kernels/catalog.h"
#include "kernels/updates/guards/counted.h"
#include "kernels/updates/guards/global_lock.h"
#include "kernels/updates/guards/in_turn.h"
#include "kernels/updates/guards/locked.h"
#include "kernels/updates/guards/locked_read.h"
#include "kernels/updates/guards/none.h"
#include "kernels/updates/guards/publish.h"
#include "kernels/updates/guards/traits.h"

#include <string_view>
#include <variant>

namespace hogwild {

// Never instantiated.
using Guards = std::variant<NoGuard, Locked, LockedRead, GlobalLock, Publish, InTurn, Counted>;

/// What holds of the guard of that name. Precondition: the name is in the list.
constexpr const GuardTraits& guard_traits(std::string_view name) { return catalog::traits<Guards>(name); }

} // namespace hogwild
