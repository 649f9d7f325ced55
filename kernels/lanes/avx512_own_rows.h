// Products and sums of own rows (kernels/lanes/scalar.h) in AVX-512: a small matrix product whose every entry has the bits of
// the scalar form.
//
// Two rows on the left meet up to eight on the right, with one register of sixteen lanes for each pair. Sixteen
// registers are then folded together, each in the order 8, 4, 2, 1 of the scalar form. Own rows are plain memory.
#pragma once

#include "kernels/lanes/scalar.h"

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace hogwild {

class Avx512OwnRows {
public:
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    products(const float* left, std::uint32_t left_rows, const float* right, std::uint32_t right_rows,
             std::uint32_t stride, float* out) {
        for (std::uint32_t i = 0; i < left_rows; i += 2) {
            const float* const a = left + std::size_t{i} * stride;
            const std::size_t second = i + 1 < left_rows ? stride : 0; // an odd last row meets the others twice
            for (std::uint32_t j = 0; j < right_rows; j += kWide) {
                const std::uint32_t wide = right_rows - j < kWide ? right_rows - j : kWide;
                alignas(64) float dots[kLanes];
                block(a, a + second, right + std::size_t{j} * stride, wide, stride, dots);
                for (std::uint32_t m = 0; m < wide; ++m) {
                    float* const to = out + std::size_t{j + m} * left_rows + i;
                    to[0] = dots[place(2 * m)];
                    if (second > 0) to[1] = dots[place(2 * m + 1)];
                }
            }
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    sum_rows(float* out, const float* rows, std::uint32_t count, std::uint32_t stride, const float* factor,
             std::uint32_t apart) {
        switch (count) {
        case 1: return sum_few<1>(out, rows, stride, factor, apart);
        case 2: return sum_few<2>(out, rows, stride, factor, apart);
        case 3: return sum_few<3>(out, rows, stride, factor, apart);
        case 4: return sum_few<4>(out, rows, stride, factor, apart);
        case 5: return sum_few<5>(out, rows, stride, factor, apart);
        case 6: return sum_few<6>(out, rows, stride, factor, apart);
        case 8: return sum_few<8>(out, rows, stride, factor, apart);
        case 10: return sum_few<10>(out, rows, stride, factor, apart);
        default: return sum_many(out, rows, count, stride, factor, apart);
        }
    }

private:
    static constexpr std::uint32_t kWide = 8;

    /// Where `folded` leaves register number r.
    static constexpr std::uint32_t place(std::uint32_t r) { return r % 4 * 4 + r / 4; }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    block(const float* a, const float* b, const float* right, std::uint32_t wide, std::uint32_t stride, float* dots) {
        switch (wide) {
        case 1: return block_of<1>(a, b, right, stride, dots);
        case 2: return block_of<2>(a, b, right, stride, dots);
        case 3: return block_of<3>(a, b, right, stride, dots);
        case 4: return block_of<4>(a, b, right, stride, dots);
        case 5: return block_of<5>(a, b, right, stride, dots);
        case 6: return block_of<6>(a, b, right, stride, dots);
        case 7: return block_of<7>(a, b, right, stride, dots);
        default: return block_of<8>(a, b, right, stride, dots);
        }
    }

    /// Register 2 m holds the lanes of a . right[m], register 2 m + 1 those of b . right[m].
    template <int kRight>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    block_of(const float* a, const float* b, const float* right, std::uint32_t stride, float* dots) {
        __m512 sum[2 * kWide];
        for (std::uint32_t r = 0; r < 2 * kWide; ++r) sum[r] = _mm512_setzero_ps();
        for (std::uint32_t k = 0; k < stride; k += kLanes) {
            const __m512 x = _mm512_load_ps(a + k), y = _mm512_load_ps(b + k);
            for (int m = 0; m < kRight; ++m) {
                const __m512 z = _mm512_load_ps(right + std::size_t{stride} * m + k);
                sum[2 * m] = _mm512_add_ps(sum[2 * m], _mm512_mul_ps(x, z));
                sum[2 * m + 1] = _mm512_add_ps(sum[2 * m + 1], _mm512_mul_ps(y, z));
            }
        }
        _mm512_store_ps(dots, folded(sum));
    }

    /// The sixteen sums of sixteen registers' lanes: of register r at place(r).
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static __m512 folded(const __m512* lanes) {
        __m512 eight[8], four[4], two[2];
        for (int i = 0; i < 8; ++i) {
            const __m512 p = lanes[2 * i], q = lanes[2 * i + 1];
            eight[i] = _mm512_add_ps(shuffled<0x44>(p, q), shuffled<0xEE>(p, q));
        }
        for (int i = 0; i < 4; ++i) {
            const __m512 p = eight[2 * i], q = eight[2 * i + 1];
            four[i] = _mm512_add_ps(shuffled<0x88>(p, q), shuffled<0xDD>(p, q));
        }
        for (int i = 0; i < 2; ++i) {
            const __m512 p = four[2 * i], q = four[2 * i + 1];
            two[i] = _mm512_add_ps(within<0x44>(p, q), within<0xEE>(p, q));
        }
        return _mm512_add_ps(within<0x88>(two[0], two[1]), within<0xDD>(two[0], two[1]));
    }

    // The forms without a mask start from an undefined register, which gcc 12 warns about.
    template <int kChoice>
    [[gnu::target("avx512f")]] static __m512 shuffled(__m512 p, __m512 q) {
        return _mm512_maskz_shuffle_f32x4(0xFFFF, p, q, kChoice);
    }
    template <int kChoice>
    [[gnu::target("avx512f")]] static __m512 within(__m512 p, __m512 q) {
        return _mm512_maskz_shuffle_ps(0xFFFF, p, q, kChoice);
    }

    template <int kCount>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    sum_few(float* out, const float* rows, std::uint32_t stride, const float* factor, std::uint32_t apart) {
        __m512 times[kCount];
        for (int r = 0; r < kCount; ++r) times[r] = _mm512_set1_ps(factor[std::size_t{apart} * r]);
        for (std::uint32_t k = 0; k < stride; k += kLanes) {
            __m512 sum = _mm512_mul_ps(times[0], _mm512_load_ps(rows + k));
            for (int r = 1; r < kCount; ++r)
                sum = _mm512_add_ps(sum, _mm512_mul_ps(times[r], _mm512_load_ps(rows + std::size_t{stride} * r + k)));
            _mm512_store_ps(out + k, sum);
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    sum_many(float* out, const float* rows, std::uint32_t count, std::uint32_t stride, const float* factor,
             std::uint32_t apart) {
        for (std::uint32_t k = 0; k < stride; k += kLanes) {
            __m512 sum = _mm512_mul_ps(_mm512_set1_ps(factor[0]), _mm512_load_ps(rows + k));
            for (std::uint32_t r = 1; r < count; ++r) {
                const __m512 times = _mm512_set1_ps(factor[std::size_t{r} * apart]);
                sum = _mm512_add_ps(sum, _mm512_mul_ps(times, _mm512_load_ps(rows + std::size_t{r} * stride + k)));
            }
            _mm512_store_ps(out + k, sum);
        }
    }
};

} // namespace hogwild
