// Whether tests run under ThreadSanitizer, which finds in few steps what it finds in many.
#pragma once

#include "engine/machine/happens_before.h"

namespace hogwild {

inline constexpr bool kThreadSanitizer = happens_before::kStated;

} // namespace hogwild
