// The row loops of kernels/lanes/corrected.h in AVX-512, with the same bits: sixteen floats or twice eight doubles at once.
// Hardware contract: that of kernels/lanes/avx512.h, of elements of 8 bytes too.
#pragma once

#include "kernels/lanes/avx512.h"
#include "kernels/lanes/corrected.h"

#include <immintrin.h>

namespace hogwild {

/// Sixteen floats.
struct Floats512 {
    using Real = float;
    using Values = __m512;
    using Index = __m512i;
    using Mask = __mmask16;
    static constexpr std::uint32_t kWidth = 16;

    [[gnu::target("avx512f")]] static Index index(Mask mask, const std::uint32_t* from) {
        return _mm512_maskz_loadu_epi32(mask, from);
    }
    [[gnu::target("avx512f")]] static Values values(Mask mask, const float* from) {
        return _mm512_maskz_loadu_ps(mask, from);
    }
    // Zero where the mask is: the form without a mask starts from an undefined register, which gcc 12 warns about.
    [[gnu::target("avx512f")]] static Values gather(Mask mask, Index index, const float* from) {
        return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, index, from, 4);
    }
    [[gnu::target("avx512f")]] static void store(Mask mask, float* to, Values values) {
        _mm512_mask_storeu_ps(to, mask, values);
    }
    [[gnu::target("avx512f")]] static void scatter(Mask mask, float* to, Index index, Values values) {
        _mm512_mask_i32scatter_ps(to, mask, index, values, 4);
    }
    [[gnu::target("avx512f")]] static Values all(float value) { return _mm512_set1_ps(value); }
    [[gnu::target("avx512f")]] static Values plus(Values a, Values b) { return _mm512_add_ps(a, b); }
    [[gnu::target("avx512f")]] static Values plus(Mask mask, Values a, Values b) {
        return _mm512_mask_add_ps(a, mask, a, b);
    }
    [[gnu::target("avx512f")]] static Values minus(Values a, Values b) { return _mm512_sub_ps(a, b); }
    [[gnu::target("avx512f")]] static Values times(Values a, Values b) { return _mm512_mul_ps(a, b); }
    [[gnu::target("avx512f")]] static Values over(Values a, Values b) { return _mm512_div_ps(a, b); }
    [[gnu::target("avx512f")]] static Mask above(Values a, Values b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
    [[gnu::target("avx512f")]] static Mask reaches(Values a, Values b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
    [[gnu::target("avx512f")]] static Values where(Mask mask, Values a, Values b) {
        return _mm512_mask_blend_ps(mask, b, a);
    }
};

/// Eight doubles, of rows whose values are floats.
struct Doubles512 {
    using Real = double;
    using Values = __m512d;
    using Index = __m256i;
    using Mask = __mmask8;
    static constexpr std::uint32_t kWidth = 8;

    [[gnu::target("avx512f,avx512vl")]] static Index index(Mask mask, const std::uint32_t* from) {
        return _mm256_maskz_loadu_epi32(mask, from);
    }
    [[gnu::target("avx512f,avx512vl")]] static Values values(Mask mask, const float* from) {
        return _mm512_maskz_cvtps_pd(mask, _mm256_maskz_loadu_ps(mask, from));
    }
    [[gnu::target("avx512f")]] static Values gather(Mask mask, Index index, const double* from) {
        return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), mask, index, from, 8);
    }
    [[gnu::target("avx512f")]] static void store(Mask mask, double* to, Values values) {
        _mm512_mask_storeu_pd(to, mask, values);
    }
    [[gnu::target("avx512f")]] static void scatter(Mask mask, double* to, Index index, Values values) {
        _mm512_mask_i32scatter_pd(to, mask, index, values, 8);
    }
    [[gnu::target("avx512f")]] static Values all(double value) { return _mm512_set1_pd(value); }
    [[gnu::target("avx512f")]] static Values plus(Values a, Values b) { return _mm512_add_pd(a, b); }
    [[gnu::target("avx512f")]] static Values plus(Mask mask, Values a, Values b) {
        return _mm512_mask_add_pd(a, mask, a, b);
    }
    [[gnu::target("avx512f")]] static Values minus(Values a, Values b) { return _mm512_sub_pd(a, b); }
    [[gnu::target("avx512f")]] static Values times(Values a, Values b) { return _mm512_mul_pd(a, b); }
    [[gnu::target("avx512f")]] static Values over(Values a, Values b) { return _mm512_div_pd(a, b); }
    [[gnu::target("avx512f")]] static Mask above(Values a, Values b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
    [[gnu::target("avx512f")]] static Mask reaches(Values a, Values b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
    [[gnu::target("avx512f")]] static Values where(Mask mask, Values a, Values b) {
        return _mm512_mask_blend_pd(mask, b, a);
    }

    /// The sum of all lanes, folded in halves.
    [[gnu::target("avx512f,avx512dq")]] static double folded(Values eight) {
        const __m256d four =
            _mm256_add_pd(_mm512_maskz_extractf64x4_pd(0xF, eight, 0), _mm512_maskz_extractf64x4_pd(0xF, eight, 1));
        const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
        return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
    }
};

template <class Form>
struct Corrected512 {
    using Real = typename Form::Real;
    using Values = typename Form::Values;
    using Mask = typename Form::Mask;

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static Real dot(const Real* weights, const SparseRow& row) {
        if constexpr (Form::kWidth == kLanes) {
            return Avx512Lanes::dot(weights, row);
        } else {
            Values low = Form::all(0), high = Form::all(0);
            for (std::uint32_t k = 0; k < row.size; k += kLanes) {
                low = with_products(low, weights, row, k);
                if (k + Form::kWidth < row.size) high = with_products(high, weights, row, k + Form::kWidth);
            }
            return Form::folded(Form::plus(low, high));
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void take(const Real* from, const std::uint32_t* index,
                                                                           std::uint32_t size, Real* out) {
        for (std::uint32_t k = 0; k < size; k += Form::kWidth) {
            const Mask mask = first(size - k);
            Form::store(mask, out + k, Form::gather(mask, Form::index(mask, index + k), from));
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void add(Real* sums, const SparseRow& row,
                                                                          Real scale) {
        const Values factor = Form::all(scale);
        for (std::uint32_t k = 0; k < row.size; k += Form::kWidth) {
            const Mask mask = first(row.size - k);
            const auto index = Form::index(mask, row.index + k);
            const Values increment = Form::times(factor, Form::values(mask, row.value + k));
            Form::scatter(mask, sums, index, Form::plus(Form::gather(mask, index, sums), increment));
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    step(Real* weights, const Real* mean, const Real* spread, const SparseRow& row, const ProximalStep<Real>& by) {
        const Values length = Form::all(by.step), change = Form::all(by.change), zero = Form::all(0);
        const Values one = Form::all(1), l2 = Form::all(by.l2), l1 = Form::all(by.l1);
        for (std::uint32_t k = 0; k < row.size; k += Form::kWidth) {
            const Mask mask = first(row.size - k);
            const auto index = Form::index(mask, row.index + k);
            const Values all = Form::gather(mask, index, spread);
            const Values noisy = Form::times(change, Form::values(mask, row.value + k));
            const Values quiet = Form::times(all, Form::gather(mask, index, mean));
            Values next =
                Form::minus(Form::gather(mask, index, weights), Form::times(length, Form::plus(noisy, quiet)));
            if (by.l1 > 0) {
                const Values most = Form::times(l1, all);
                const Values up = Form::plus(next, most), down = Form::minus(next, most);
                const Values inside = Form::where(Form::reaches(next, Form::minus(zero, most)), zero, up);
                next = Form::where(Form::above(next, most), down, inside);
            }
            if (by.l2 > 0) next = Form::over(next, Form::plus(one, Form::times(l2, all)));
            Form::scatter(mask, weights, index, next);
        }
    }

private:
    static Mask first(std::uint32_t count) { return static_cast<Mask>(count < Form::kWidth ? (1u << count) - 1 : ~0u); }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static Values
    with_products(Values sum, const Real* weights, const SparseRow& row, std::uint32_t k) {
        const Mask mask = first(row.size - k);
        const Values weight = Form::gather(mask, Form::index(mask, row.index + k), weights);
        return Form::plus(mask, sum, Form::times(Form::values(mask, row.value + k), weight));
    }
};

template <>
struct Corrected<Avx512Lanes, float> : Corrected512<Floats512> {};

template <>
struct Corrected<Avx512Lanes, double> : Corrected512<Doubles512> {};

} // namespace hogwild
