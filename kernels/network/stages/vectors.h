// Vectors of floats that stay in registers, one form for each instruction set, for loops that are written once.
// Operands go by reference, so that no caller's own instruction set matters; all is inlined where
// kernels/lanes/dispatch.h flattens.
//
//   kWidth, kSums                                floats of a vector; vectors of sums that registers hold beside what is multiplied
//   load, store, store_bytes                     whole
//   load_first, store_first, store_first_bytes   so many lanes, 1 to kWidth; 0 is loaded into others
//   spread(to, value), zeros(winners)            in all lanes
//   add_product(sum, a, b)                       sum = a b + sum, rounded once
//   take_larger(best, winners, value, number)    where value > best or is NaN: best = value, winners = number
//   not_negative(values)                         relu; -0 stays
//   where_positive(values, deciding)             values where deciding > 0, else 0
//   equal_bytes(bytes, value)                    bit n: whether bytes[n] is value, of kWidth bytes
//   not_zero(values)                             bit n: whether lane n is not 0
//
// Memory: the caller's own.
#pragma once

#include "kernels/lanes/dispatch.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace hogwild {

template <class Lanes>
struct VectorsOf;

template <>
struct VectorsOf<ScalarLanes> {
    static constexpr std::uint32_t kWidth = 1, kSums = 8;
    using Floats = float;
    using Numbers = std::uint32_t;

    static void load(Floats& to, const float* from) { to = *from; }
    static void load_first(Floats& to, const float* from, std::uint32_t) { to = *from; }
    static void store(float* to, const Floats& from) { *to = from; }
    static void store_first(float* to, const Floats& from, std::uint32_t) { *to = from; }
    static void spread(Floats& to, float from) { to = from; }
    static void zeros(Numbers& to) { to = 0; }
    static void add(Floats& sum, const Floats& by) { sum += by; }
    static void add_product(Floats& sum, const Floats& a, const Floats& b) { sum = std::fma(a, b, sum); }
    static void take_larger(Floats& best, Numbers& winners, const Floats& value, int number) {
        if (!(value > best || value != value)) return;
        best = value;
        winners = static_cast<Numbers>(number);
    }
    static void not_negative(Floats& values) { values = values < 0.0f ? 0.0f : values; }
    static void where_positive(Floats& values, const Floats& deciding) { values = deciding > 0.0f ? values : 0.0f; }
    static void store_bytes(std::uint8_t* to, const Numbers& winners) { *to = static_cast<std::uint8_t>(winners); }
    static void store_first_bytes(std::uint8_t* to, const Numbers& winners, std::uint32_t) { store_bytes(to, winners); }
    static std::uint32_t equal_bytes(const std::uint8_t* bytes, std::uint8_t value) { return *bytes == value ? 1 : 0; }
    static std::uint32_t not_zero(const Floats& values) { return values != 0.0f ? 1 : 0; }
};

#if HOGWILD_VECTOR_LANES

template <>
struct VectorsOf<Avx512Lanes> {
    static constexpr std::uint32_t kWidth = 16, kSums = 24;
    using Floats = __m512;
    using Numbers = __m512i;

    [[gnu::target("avx512f")]] static void load(Floats& to, const float* from) { to = _mm512_loadu_ps(from); }
    [[gnu::target("avx512f")]] static void load_first(Floats& to, const float* from, std::uint32_t count) {
        to = _mm512_maskz_loadu_ps(first(count), from);
    }
    [[gnu::target("avx512f")]] static void store(float* to, const Floats& from) { _mm512_storeu_ps(to, from); }
    [[gnu::target("avx512f")]] static void store_first(float* to, const Floats& from, std::uint32_t count) {
        _mm512_mask_storeu_ps(to, first(count), from);
    }
    [[gnu::target("avx512f")]] static void spread(Floats& to, float from) { to = _mm512_set1_ps(from); }
    [[gnu::target("avx512f")]] static void zeros(Numbers& to) { to = _mm512_setzero_si512(); }
    [[gnu::target("avx512f")]] static void add(Floats& sum, const Floats& by) { sum = _mm512_add_ps(sum, by); }
    [[gnu::target("avx512f")]] static void add_product(Floats& sum, const Floats& a, const Floats& b) {
        sum = _mm512_fmadd_ps(a, b, sum);
    }
    [[gnu::target("avx512f")]] static void take_larger(Floats& best, Numbers& winners, const Floats& value,
                                                       int number) {
        const __mmask16 wins =
            _mm512_cmp_ps_mask(value, best, _CMP_GT_OQ) | _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
        best = _mm512_mask_mov_ps(best, wins, value);
        winners = _mm512_mask_set1_epi32(winners, wins, number);
    }
    [[gnu::target("avx512f")]] static void not_negative(Floats& values) {
        values = _mm512_maskz_max_ps(0xFFFF, _mm512_setzero_ps(), values);
    }
    [[gnu::target("avx512f")]] static void where_positive(Floats& values, const Floats& deciding) {
        values = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(deciding, _mm512_setzero_ps(), _CMP_GT_OQ), values);
    }
    [[gnu::target("avx512f")]] static void store_bytes(std::uint8_t* to, const Numbers& winners) {
        _mm512_mask_cvtepi32_storeu_epi8(to, 0xFFFF, winners);
    }
    [[gnu::target("avx512f")]] static void store_first_bytes(std::uint8_t* to, const Numbers& winners,
                                                             std::uint32_t count) {
        _mm512_mask_cvtepi32_storeu_epi8(to, first(count), winners);
    }
    static std::uint32_t equal_bytes(const std::uint8_t* bytes, std::uint8_t value) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
        return static_cast<std::uint32_t>(
            _mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_set1_epi8(static_cast<char>(value)))));
    }
    [[gnu::target("avx512f")]] static std::uint32_t not_zero(const Floats& values) {
        return _mm512_cmp_ps_mask(values, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    }

private:
    static __mmask16 first(std::uint32_t count) { return static_cast<__mmask16>((1u << count) - 1); }
};

template <>
struct VectorsOf<Avx2Lanes> {
    static constexpr std::uint32_t kWidth = 8, kSums = 12;
    using Floats = __m256;
    using Numbers = __m256i;

    [[gnu::target("avx2")]] static void load(Floats& to, const float* from) { to = _mm256_loadu_ps(from); }
    [[gnu::target("avx2")]] static void load_first(Floats& to, const float* from, std::uint32_t count) {
        to = _mm256_maskload_ps(from, first(count));
    }
    [[gnu::target("avx2")]] static void store(float* to, const Floats& from) { _mm256_storeu_ps(to, from); }
    [[gnu::target("avx2")]] static void store_first(float* to, const Floats& from, std::uint32_t count) {
        _mm256_maskstore_ps(to, first(count), from);
    }
    [[gnu::target("avx2")]] static void spread(Floats& to, float from) { to = _mm256_set1_ps(from); }
    [[gnu::target("avx2")]] static void zeros(Numbers& to) { to = _mm256_setzero_si256(); }
    [[gnu::target("avx2")]] static void add(Floats& sum, const Floats& by) { sum = _mm256_add_ps(sum, by); }
    [[gnu::target("avx2,fma")]] static void add_product(Floats& sum, const Floats& a, const Floats& b) {
        sum = _mm256_fmadd_ps(a, b, sum);
    }
    [[gnu::target("avx2")]] static void take_larger(Floats& best, Numbers& winners, const Floats& value, int number) {
        const __m256 wins =
            _mm256_or_ps(_mm256_cmp_ps(value, best, _CMP_GT_OQ), _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
        best = _mm256_blendv_ps(best, value, wins);
        winners = _mm256_blendv_epi8(winners, _mm256_set1_epi32(number), _mm256_castps_si256(wins));
    }
    [[gnu::target("avx2")]] static void not_negative(Floats& values) {
        values = _mm256_max_ps(_mm256_setzero_ps(), values);
    }
    [[gnu::target("avx2")]] static void where_positive(Floats& values, const Floats& deciding) {
        values = _mm256_and_ps(values, _mm256_cmp_ps(deciding, _mm256_setzero_ps(), _CMP_GT_OQ));
    }
    [[gnu::target("avx2")]] static void store_bytes(std::uint8_t* to, const Numbers& winners) {
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes(winners));
    }
    [[gnu::target("avx2")]] static void store_first_bytes(std::uint8_t* to, const Numbers& winners,
                                                          std::uint32_t count) {
        const auto all = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes(winners)));
        std::memcpy(to, &all, count);
    }
    static std::uint32_t equal_bytes(const std::uint8_t* bytes, std::uint8_t value) {
        const __m128i some = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
        const __m128i equal = _mm_cmpeq_epi8(some, _mm_set1_epi8(static_cast<char>(value)));
        return static_cast<std::uint32_t>(_mm_movemask_epi8(equal)) & 0xFF;
    }
    [[gnu::target("avx2")]] static std::uint32_t not_zero(const Floats& values) {
        return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(values, _mm256_setzero_ps(), _CMP_NEQ_UQ)));
    }

private:
    [[gnu::target("avx2")]] static __m256i first(std::uint32_t count) {
        const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes);
    }
    [[gnu::target("avx2")]] static __m128i bytes(const Numbers& winners) {
        const __m128i pairs = _mm_packs_epi32(_mm256_castsi256_si128(winners), _mm256_extracti128_si256(winners, 1));
        return _mm_packus_epi16(pairs, pairs);
    }
};

#endif

} // namespace hogwild
