// What one core computes at most: a row of fused multiply-adds on registers alone, each counted as two operations.
#pragma once

#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/stopwatch.h"
#include "kernels/lanes/dispatch.h"

#include <cmath>
#include <cstdint>
#include <string>

namespace hogwild {

/// The form of On, an OnLanes, for a set.
template <class On>
auto form_for(InstructionSet set) {
    return set == InstructionSet::kAvx512 ? On::avx512 : set == InstructionSet::kAvx2 ? On::avx2 : On::scalar;
}

/// Multiply-adds on registers alone, as many at once as fit.
struct FmaCeiling {
    static constexpr std::uint64_t kRounds = 100'000;

    template <class Lanes>
    static void run(double& done) {
#if HOGWILD_VECTOR_LANES
        if constexpr (std::same_as<Lanes, Avx512Lanes>) return avx512(done);
        if constexpr (std::same_as<Lanes, Avx2Lanes>) return avx2(done);
#endif
        float sum = 1, factor = 0.5f;
        asm volatile("" : "+x"(factor));
        for (std::uint64_t i = 0; i < kRounds; ++i) sum = std::fma(sum, factor, factor);
        keep(sum);
        done = 2.0 * kRounds;
    }

#if HOGWILD_VECTOR_LANES
    [[gnu::target("avx512f"), gnu::noinline]] static void avx512(double& done) {
        __m512 sum[16], factor = _mm512_set1_ps(0.5f);
        asm volatile("" : "+v"(factor));
        for (__m512& each : sum) each = factor;
        for (std::uint64_t i = 0; i < kRounds; ++i) {
#pragma GCC unroll 16
            for (__m512& each : sum) each = _mm512_fmadd_ps(each, factor, factor);
        }
        for (__m512& each : sum) asm volatile("" : : "v"(each));
        done = 2.0 * 16 * 16 * kRounds;
    }

    [[gnu::target("avx2,fma"), gnu::noinline]] static void avx2(double& done) {
        __m256 sum[12], factor = _mm256_set1_ps(0.5f);
        asm volatile("" : "+x"(factor));
        for (__m256& each : sum) each = factor;
        for (std::uint64_t i = 0; i < kRounds; ++i) {
#pragma GCC unroll 12
            for (__m256& each : sum) each = _mm256_fmadd_ps(each, factor, factor);
        }
        for (__m256& each : sum) asm volatile("" : : "x"(each));
        done = 2.0 * 12 * 8 * kRounds;
    }
#endif
};

/// A row whose amount is operations.
inline void add_fma_ceiling(Bench& bench, InstructionSet set, const std::string& row) {
    bench.add(
        row,
        [form = form_for<OnLanes<FmaCeiling, double&>>(set)] {
            double done = 0;
            const Stopwatch watch;
            form(done);
            return Measurement{watch.seconds(), done, {}};
        },
        0.05);
}

} // namespace hogwild
