// What the values of --memory and --numbers mean: behind the options of `hogwild run --help`, and in the page of axes.
//
// In braces stand names of schemes by what they have in common (engine/plan/name_places.h).
#pragma once

namespace hogwild {

inline constexpr const char* kMemoryText =
    "Memory: host is ordinary; mapped is the host's, page-locked, and the GPU reaches it across the link; the "
    "pages\n"
    "of managed move to whoever touches them, of managed-host stay on the host, of managed-device prefer the GPU;\n"
    "device is the GPU's own; replica is an array on either side, between which a bridge exchanges increments.\n";

inline constexpr const char* kNumbersText =
    "Numbers: fp64, doubles, are the host's, of {steps_on_doubles}; bf16, fp16 and int8, of 16 and 8 bits, the "
    "host's,\n"
    "of {short_numbers} on linear problems; bf16 and fp16 a device's too, of factorization. Old spellings of a\n"
    "memory, host-int8-nearest, say its numbers and rounding too.\n";

} // namespace hogwild
