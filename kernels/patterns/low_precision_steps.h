// Steps on short numbers (kernels/numbers/storage.h): those of linear problems (kernels/patterns/sparse_rows.h), whose increments
// are rounded as they are written.
//
//   v_j <- rounded(v_j - (step / scale) slope x_j)
//
// by a load, a sum in floats and a store, each cell whole: as racy as kernels/updates/racy.h. Margins, slopes and sums are floats;
// only what stays in memory is short.
//
// A chunk's random words are a function of the run's seed, its epoch and its first sample. So one worker of any scheme takes those
// of serial. A run that goes on from a snapshot takes those that it would have taken.
//
// Lazy L2: weights are scale v, and v grows as the scale falls. How far the scale may fall within an era follows from what numbers
// reach (bits_of_scale). An era's end multiplies it into the cells, rounded as a step's, by a word of each cell's own.
//
// Precision: an increment d, small beside the distance D to the next number, is rounded with a variance of |d| D. So without bias
// weights wander about their optimum, by a variance in proportion to D, whatever the step size. With nearest they stop where
// increments are below D / 2.
// Source: De Sa et al., "Taming the wild", NIPS 2015 (Buckwild!).
// Thread-safety: any number of workers may step on the same cells; `rescale` wants no other writer of its range.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/low_precision.h"
#include "kernels/numbers/half.h"
#include "kernels/numbers/rounding.h"
#include "kernels/numbers/storage.h"
#include "kernels/patterns/sparse_rows.h"
#include "kernels/problem.h"
#include "kernels/steps/steps.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild {

/// By how many powers of two the scale of lazy L2 may fall before it is multiplied into the buffer. int8 weights reach from half
/// its range, before that, to all of it, after; fp16 weights reach 255 at least.
constexpr int bits_of_scale(Storage storage) {
    return storage == Storage::kInt8 ? 1 : storage == Storage::kFp16 ? 8 : 64;
}

/// An update policy of cells.
template <Rounding kRounding>
class RoundedAdd {
public:
    explicit RoundedAdd(Dither& dither) : dither_(dither) {}

    template <class Rows, class Number>
    void add_row(const Cells<Number>& cells, const SparseRow& row, float scale) const {
        Rows::template add<kRounding>(cells, row, scale, dither_);
    }

private:
    Dither& dither_;
};

/// The random words of a chunk: those of its first sample. Two chunks of an epoch that begin with one sample have the
/// same words; with replacement there may be such chunks.
inline Dither words_of(const Chunk& chunk) {
    const auto seed = static_cast<std::uint32_t>(chunk.seed ^ (chunk.seed >> 32));
    return Dither(Dither::mixed(chunk.samples[0] + Dither::mixed(chunk.epoch + Dither::mixed(seed))));
}

/// A chunk's steps; Chunk::weights is not looked at.
template <LinearProblem Problem, Rounding kRounding, class Lanes, class Number>
void low_precision_steps(const SparseView& data, const Chunk& chunk, const Cells<Number>& cells) {
    using Rows = LowPrecision<Lanes, Number>;
    const RowPrefetch prefetch(data, chunk.samples, chunk.count + chunk.ahead);
    if (!chunk.primed) prefetch.prime();
    Dither dither = words_of(chunk);
    const RoundedAdd<kRounding> update(dither);
    SparseRows::Step<Problem, Rows, Cells<Number>> step(data, chunk, cells);
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        prefetch.at(i);
        const SparseRow row = step.sample(chunk.samples[i]);
        if (step.read(row)) step.write(update, row);
        step.next();
    }
}

/// Multiplies the cells [begin, end) by a factor. `seed` says which words: those of a cell do not depend on the range.
template <class Number>
void rescale(const Cells<Number>& cells, std::uint32_t begin, std::uint32_t end, float factor, Rounding rounding,
             std::uint32_t seed) {
    const Dither before_all(Dither::mixed(seed));
    for (std::uint32_t j = begin; j < end; ++j) {
        if (relaxed_load(cells.at[j]) == 0) continue; // most of a model's, and zero stays zero
        Dither words = before_all;
        words.skip(j);
        cells.store(j, cells.load(j) * factor,
                    rounding == Rounding::kNearest ? kHalfWay<Number> : dither_of<Number>(words()));
    }
}

} // namespace hogwild
