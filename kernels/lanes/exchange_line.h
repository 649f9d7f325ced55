// A line of a replica's exchange (kernels/exchange/replica_exchange.h), all of it in registers where an instruction set has such
// wide ones:
//
//   shared = grown x shared + share x (own - base);   own = base = shared
//
// of `size` coordinates, 1 to 16; own and base have a whole line. The same bits on every instruction set.
//
// Hardware contract and thread-safety: those of the lanes' moves (kernels/lanes/avx512.h): shared elements never tear.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/dispatch.h"

#include <concepts>
#include <cstdint>

namespace hogwild {

inline constexpr std::uint32_t kExchangeLine = 16; // coordinates

inline void exchange_line(ScalarLanes, float* shared, float* own, float* base, float share, float grown,
                          std::uint32_t size) {
    for (std::uint32_t k = 0; k < size; ++k) {
        const float fresh = grown * relaxed_load(shared[k]) + share * (own[k] - base[k]);
        relaxed_store(shared[k], fresh);
        own[k] = base[k] = fresh;
    }
}

#if HOGWILD_VECTOR_LANES
[[gnu::target("avx2")]] inline void exchange_line(Avx2Lanes, float* shared, float* own, float* base, float share,
                                                  float grown, std::uint32_t size) {
    if (size < kExchangeLine) return exchange_line(ScalarLanes{}, shared, own, base, share, grown, size);
    alignas(64) float line[kExchangeLine];
    Avx2Lanes::copy_row(line, shared, kExchangeLine);
    for (std::uint32_t k = 0; k < kExchangeLine; k += 8) {
        const __m256 moved = _mm256_sub_ps(_mm256_load_ps(own + k), _mm256_load_ps(base + k));
        const __m256 fresh = _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(grown), _mm256_load_ps(line + k)),
                                           _mm256_mul_ps(_mm256_set1_ps(share), moved));
        _mm256_store_ps(line + k, fresh);
        _mm256_store_ps(own + k, fresh);
        _mm256_store_ps(base + k, fresh);
    }
    Avx2Lanes::store_row(shared, line, kExchangeLine);
}

[[gnu::target("avx512f")]] inline void exchange_line(Avx512Lanes, float* shared, float* own, float* base, float share,
                                                     float grown, std::uint32_t size) {
    const __mmask16 lanes = Avx512Moves::tail(size);
    const __m512 moved = _mm512_sub_ps(_mm512_load_ps(own), _mm512_load_ps(base));
    const __m512 fresh = _mm512_add_ps(_mm512_mul_ps(_mm512_set1_ps(grown), Avx512Moves::load(lanes, shared)),
                                       _mm512_mul_ps(_mm512_set1_ps(share), moved));
    Avx512Moves::store(lanes, shared, fresh);
    _mm512_store_ps(own, fresh);
    _mm512_store_ps(base, fresh);
}
#endif

} // namespace hogwild
