// Whether tests run under ThreadSanitizer, which finds in few steps what it finds in many.
#pragma once

#include "kernels/thread_sanitizer.h"

namespace hogwild {

#if defined(HOGWILD_THREAD_SANITIZER)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

} // namespace hogwild
