// Chooses the instruction set once per call of a kernel: the body below is compiled for each set, all with the same
// bits.
//
// `flatten` pulls the body and its row loops into one function of that instruction set. Nothing else in the program is
// compiled for more than the baseline, so the program starts on any x86-64 processor.
// Under ThreadSanitizer only the scalar form exists: every access is then an atomic that the sanitizer sees.
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/thread_sanitizer.h"

#if defined(__x86_64__) && !defined(HOGWILD_THREAD_SANITIZER)
#define HOGWILD_VECTOR_LANES 1
#include "kernels/lanes/avx2.h"
#include "kernels/lanes/avx512.h"
#include "kernels/lanes/corrected_avx512.h"
#include "kernels/lanes/edges_avx512.h"
#include "kernels/lanes/low_precision_avx512.h"
#else
#define HOGWILD_VECTOR_LANES 0
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hogwild {

enum class InstructionSet : std::uint32_t { kScalar, kAvx2, kAvx512 };

inline constexpr std::size_t kInstructionSets = 3;

/// Their names, in their order: those of the lanes.
inline constexpr std::array<std::string_view, kInstructionSets> kInstructionSetNames{"scalar", "avx2", "avx512"};

/// The best set that both this build and this processor have. AVX2 without FMA, which only few processors of VIA and some virtual
/// machines have, counts as scalar.
inline InstructionSet best_instruction_set() {
#if HOGWILD_VECTOR_LANES
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return InstructionSet::kScalar;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq")) {
        return InstructionSet::kAvx512;
    }
    return InstructionSet::kAvx2;
#else
    return InstructionSet::kScalar;
#endif
}

/// Body::run<Lanes>(arguments...), for each instruction set. Without vector lanes all three are the scalar form. None becomes
/// a part of its caller, so what many bodies share is compiled once.
template <class Body, class... Arguments>
struct OnLanes {
    [[gnu::noinline]] static void scalar(Arguments... arguments) { Body::template run<ScalarLanes>(arguments...); }

#if HOGWILD_VECTOR_LANES
    [[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] static void avx2(Arguments... arguments) {
        Body::template run<Avx2Lanes>(arguments...);
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,fma"), gnu::flatten, gnu::noinline]] static void
    avx512(Arguments... arguments) {
        Body::template run<Avx512Lanes>(arguments...);
    }
#else
    static constexpr auto avx2 = scalar;
    static constexpr auto avx512 = scalar;
#endif

    template <class Lanes>
#if HOGWILD_VECTOR_LANES
    static constexpr bool kKnown =
        std::same_as<Lanes, ScalarLanes> || std::same_as<Lanes, Avx2Lanes> || std::same_as<Lanes, Avx512Lanes>;
#else
    static constexpr bool kKnown = std::same_as<Lanes, ScalarLanes>;
#endif

    /// The form for the lanes that the caller runs on.
    template <class Lanes>
    static void on(Arguments... arguments) {
#if HOGWILD_VECTOR_LANES
        if constexpr (std::same_as<Lanes, Avx2Lanes>) return avx2(arguments...);
        if constexpr (std::same_as<Lanes, Avx512Lanes>) return avx512(arguments...);
#endif
        static_assert(kKnown<Lanes>);
        if constexpr (std::same_as<Lanes, ScalarLanes>) return scalar(arguments...);
    }
};

} // namespace hogwild
