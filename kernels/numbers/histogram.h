// A histogram of counts whose tail is not cut off. It is exact below 64, then has 32 buckets per power of two up to
// 2^64, and the exact maximum. A bucket's relative width is 1/32 at most.
//
// Thread-safety: one writer; merged after the join.
// Source: the log-linear buckets of HdrHistogram (Tene).
#pragma once

#include "kernels/annotate.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hogwild {

class Histogram {
public:
    Histogram() = default;

    /// From counts that were kept elsewhere: kBuckets of them, by `bucket`.
    Histogram(const std::uint64_t* buckets, std::uint64_t sum, std::uint64_t max) : sum_(sum), max_(max) {
        for (std::size_t b = 0; b < kBuckets; ++b) count_ += buckets_[b] = buckets[b];
    }

    void add(std::uint64_t value) {
        ++buckets_[bucket(value)];
        ++count_;
        sum_ += value;
        max_ = std::max(max_, value);
    }

    void merge(const Histogram& other) {
        for (std::size_t b = 0; b < kBuckets; ++b) buckets_[b] += other.buckets_[b];
        count_ += other.count_;
        sum_ += other.sum_;
        max_ = std::max(max_, other.max_);
    }

    std::uint64_t count() const { return count_; }
    std::uint64_t sum() const { return sum_; }
    std::uint64_t max() const { return max_; }

    /// The smallest value that at least the share q in (0, 1] of the counts does not exceed, up to a bucket's width.
    /// The bucket's largest value is returned, but never more than the maximum. 0 when empty.
    std::uint64_t quantile(double q) const {
        const double wanted = q * static_cast<double>(count_);
        std::uint64_t seen = 0;
        for (std::size_t b = 0; b < kBuckets; ++b) {
            seen += buckets_[b];
            if (seen > 0 && static_cast<double>(seen) >= wanted) return std::min(last_value(b), max_);
        }
        return max_;
    }

    /// Calls take(first, last, count) for every bucket that counted something, ascending.
    template <class Take>
    void each(const Take& take) const {
        for (std::size_t b = 0; b < kBuckets; ++b) {
            if (buckets_[b] > 0) take(b == 0 ? 0 : last_value(b - 1) + 1, last_value(b), buckets_[b]);
        }
    }

    static constexpr std::uint32_t kFineBits = 5;
    static constexpr std::size_t kExact = std::size_t{2} << kFineBits; // values that have a bucket each
    static constexpr std::size_t kBuckets = kExact + (64 - kFineBits - 1) * (std::size_t{1} << kFineBits);

    /// The bucket that counts `value`.
    HOGWILD_HOST_DEVICE static std::size_t bucket(std::uint64_t value) {
        if (value < kExact) return value;
        const std::uint32_t shift = bit_width(value) - kFineBits - 1; // >= 1
        return (std::size_t{shift} << kFineBits) + static_cast<std::size_t>(value >> shift);
    }

private:
    /// Bits of a value above 0. (The standard library's is a host function, which nvcc compiles to nothing.)
    HOGWILD_HOST_DEVICE static std::uint32_t bit_width(std::uint64_t value) {
        std::uint32_t width = 1;
        for (std::uint32_t half = 32; half > 0; half /= 2) {
            if (value >> half == 0) continue;
            value >>= half;
            width += half;
        }
        return width;
    }

    static std::uint64_t last_value(std::size_t bucket) {
        if (bucket < kExact) return bucket;
        const std::size_t shift = (bucket >> kFineBits) - 1;
        const std::uint64_t mantissa = (bucket & ((std::size_t{1} << kFineBits) - 1)) + (std::size_t{1} << kFineBits);
        return ((mantissa + 1) << shift) - 1;
    }

    std::array<std::uint64_t, kBuckets> buckets_{};
    std::uint64_t count_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t max_ = 0;
};

} // namespace hogwild
