// Sets several models to their average, over a range of coordinates, while workers step on them.
//
// Every model is read once, and receives what it lacks to the average of what was read:
//
//   mean = (read_0 + ... + read_(M-1)) / M;   model_i = now_i + (mean - read_i)
//
// with now_i what it has become meanwhile, so an increment that comes between is kept; where none has it is set to the average.
// Coordinates of which all models agree are not written. The sum over models stays what it was, up to rounding.
//
// Thread-safety: one caller at a time over a coordinate. Workers may step on all models meanwhile: loads and stores are
// relaxed. An increment between the second load and its store is overwritten, as two workers of Hogwild overwrite each
// other's.
#pragma once

#include "kernels/exchange/store_changed.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

struct ModelAverage {
    static constexpr std::uint32_t kLine = kLineOfSome;

    float* const* models;
    std::uint32_t count;
    float* read; // the caller's own: a line of each model

    /// Coordinates [begin, end), begin a line's first.
    template <class Lanes>
    void over(std::uint32_t begin, std::uint32_t end) const {
        const float share = 1.0f / static_cast<float>(count);
        for (std::uint32_t j = begin; j < end; j += kLine) {
            const std::uint32_t size = std::min(kLine, end - j);
            alignas(64) float mean[kLine] = {};
            std::uint32_t apart = 0; // coordinates whose models differ, a bit each
            for (std::uint32_t m = 0; m < count; ++m) {
                float* const line = read + m * kLine;
                Lanes::copy_row(line, models[m] + j, size);
                for (std::uint32_t k = 0; k < size; ++k) {
                    mean[k] += share * line[k];
                    apart |= std::uint32_t{line[k] != read[k]} << k;
                }
            }
            if (apart == 0) continue;
            for (std::uint32_t m = 0; m < count; ++m) {
                const float* const line = read + m * kLine;
                alignas(64) float now[kLine] = {};
                Lanes::copy_row(now, models[m] + j, size);
                for (std::uint32_t k = 0; k < size; ++k)
                    now[k] = now[k] == line[k] ? mean[k] : now[k] + (mean[k] - line[k]);
                store_some<Lanes>(models[m] + j, now, apart, size);
            }
        }
    }
};

struct ModelAverageBody {
    template <class Lanes>
    static void run(const ModelAverage& average, std::uint32_t begin, std::uint32_t end) {
        average.over<Lanes>(begin, end);
    }
};

} // namespace hogwild
