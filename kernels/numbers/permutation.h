// A pseudo-random permutation of [0, size) that needs no memory: position -> row, each computed on its own.
//
// A Feistel network permutes the b-bit numbers, 2^b the smallest power >= size. Values at or beyond `size` are walked
// through again until they fall inside (cycle walking), which keeps the map one-to-one. From three numbers up fewer
// than two tries are expected.
// Round keys come from Philox of (seed, epoch). So the order is the same for any number of workers, on any device, and
// two epochs are unrelated.
//
// Source: Luby and Rackoff 1988; Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002.
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/random.h"

#include <cstdint>

namespace hogwild {

class Permutation {
public:
    /// size: 1 .. 2^32 - 1.
    HOGWILD_HOST_DEVICE Permutation(std::uint32_t size, std::uint64_t seed, std::uint32_t epoch) : size_(size) {
        std::uint32_t bits = 2;
        while ((std::uint64_t{1} << bits) < size) ++bits;
        right_bits_ = bits / 2;
        left_mask_ = (1u << (bits - right_bits_)) - 1;
        right_mask_ = (1u << right_bits_) - 1;
        for (std::uint32_t i = 0; i < kRounds / 2; ++i) {
            const PhiloxCounter words = philox({epoch, i, kStream, 0}, philox_key(seed));
            keys_[2 * i] = words[0];
            keys_[2 * i + 1] = words[1];
        }
    }

    HOGWILD_HOST_DEVICE std::uint32_t operator()(std::uint32_t position) const {
        std::uint32_t row = scramble(position);
        while (row >= size_) row = scramble(row);
        return row;
    }

    /// rows[i] = (*this)(first + i * stride) for i < count <= kBatch: the same numbers, computed side by side.
    void fill(std::uint32_t first, std::uint32_t stride, std::uint32_t count, std::uint32_t* rows) const {
        for (std::uint32_t i = 0; i < count; ++i) rows[i] = scramble(first + i * stride);
        std::uint32_t outside[kBatch];
        std::uint32_t values[kBatch];
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            outside[left] = i;
            left += rows[i] >= size_ ? 1 : 0;
        }
        while (left > 0) {
            for (std::uint32_t i = 0; i < left; ++i) values[i] = rows[outside[i]];
            for (std::uint32_t i = 0; i < left; ++i) values[i] = scramble(values[i]);
            std::uint32_t still = 0;
            for (std::uint32_t i = 0; i < left; ++i) {
                rows[outside[i]] = values[i];
                outside[still] = outside[i];
                still += values[i] >= size_ ? 1 : 0;
            }
            left = still;
        }
    }

    static constexpr std::uint32_t kBatch = 256;

private:
    static constexpr std::uint32_t kRounds = 6;
    static constexpr std::uint32_t kStream = 0x7065726D; // sets these words apart from other uses of the seed

    HOGWILD_HOST_DEVICE std::uint32_t scramble(std::uint32_t number) const {
        std::uint32_t left = number >> right_bits_;
        std::uint32_t right = number & right_mask_;
        for (std::uint32_t round = 0; round < kRounds; round += 2) {
            left = (left ^ mix(right + keys_[round])) & left_mask_;
            right = (right ^ mix(left + keys_[round + 1])) & right_mask_;
        }
        return (left << right_bits_) | right;
    }

    /// A 32-bit finaliser (Wellons' lowbias32): every input bit reaches every output bit.
    HOGWILD_HOST_DEVICE static std::uint32_t mix(std::uint32_t x) {
        x ^= x >> 16;
        x *= 0x7FEB352D;
        x ^= x >> 15;
        x *= 0x846CA68B;
        x ^= x >> 16;
        return x;
    }

    std::uint32_t size_;
    std::uint32_t right_bits_ = 1;
    std::uint32_t left_mask_ = 0;
    std::uint32_t right_mask_ = 0;
    std::uint32_t keys_[kRounds] = {};
};

} // namespace hogwild
