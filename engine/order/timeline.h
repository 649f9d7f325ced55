// A run's samples as a line of chunks: which positions, which step size, which L2 scale, when to observe.
//
// An epoch of n positions is cut into chunks of c positions. c <= 256, and c <= 32 where threads step beside a GPU. The
// delays of c gradients take at most 10 us. c is a power of two that depends on n and on these alone, not on the
// workers. Chunk g of the run lies in epoch g / chunks_per_epoch. Workers claim chunks from one counter, or walk them
// in order. Either way the run is the same sequence of samples, step sizes and scales. So one worker of any scheme
// walks serial's path.
//
// Where a step takes a batch of samples, chunks are of whole batches, and a chunk has the step size of its first position's cell.
//
// Step sizes change at cells of 256 positions. The scale of lazy L2 (kernels/patterns/sparse_rows.h) at a cell's first
// position is tabled. So it does not depend on the chunk size or on who came before. A new *era* begins with the cell
// within which the scale would fall under 2^-64, were all cells whole. With low precision it begins where the scale
// would fall under what its numbers can follow (bits_of_scale of kernels/patterns/low_precision_steps.h). Workers meet,
// the scale is multiplied into the buffer and starts again at 1. (Typical runs of floats have one era: it takes a sum
// of step x lambda of 44.) Where steps are decided during the run (backoff), eras are as if none became smaller.
//
// Thread-safety: const functions from any thread; `prepare` by one worker per epoch, before others ask for that epoch.
#pragma once

#include "engine/order/schedule.h"
#include "engine/plan/step_settings.h"
#include "kernels/steps/pace.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// Positions [first, first + count) of an epoch, within one era; those of a chunk lie within one cell.
struct Positions {
    std::uint32_t epoch = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

class Timeline {
public:
    static constexpr std::uint32_t kCell = hogwild::kCell;
    static constexpr std::uint32_t kMostBesideGpu = 32;
    static constexpr std::uint32_t kMost = 1024; // positions of a chunk

    Timeline(const Plan& plan, std::uint32_t rows);

    /// By how many powers of two the steps of a whole cell make the scale smaller. log1p, since 1 - step lambda may round to 1.
    static double bits(double step, double l2);

    /// Memory that such a timeline takes.
    static std::uint64_t bytes(const Plan& plan, std::uint64_t rows);

    std::uint32_t rows() const { return rows_; }
    std::uint32_t epochs() const { return epochs_; }

    /// The share of an epoch at which the step size at a position is decided, under every scheme: where its cell begins.
    double within(std::uint64_t position) const { return static_cast<double>(position - position % kCell) / rows_; }

    /// Positions of a chunk that is whole.
    std::uint32_t chunk() const { return chunk_; }
    std::uint64_t chunks() const { return chunks_per_epoch_ * epochs_; }

    /// The first chunk of the epoch that holds chunk g.
    std::uint64_t epoch_start(std::uint64_t g) const { return g - g % chunks_per_epoch_; }

    /// The chunk that holds the sample after `updates` ones; chunks() after the last.
    std::uint64_t chunk_of(std::uint64_t updates) const {
        return updates / rows_ * chunks_per_epoch_ + updates % rows_ / chunk_;
    }

    /// Samples of the run before chunk g.
    std::uint64_t updates_before(std::uint64_t g) const {
        return g / chunks_per_epoch_ * rows_ + g % chunks_per_epoch_ * chunk_;
    }

    /// Where chunk g < chunks() lies.
    Positions positions(std::uint64_t g) const;

    /// Where the chunks [begin, end) of one epoch lie.
    Positions positions(std::uint64_t begin, std::uint64_t end) const;

    /// One past the last chunk that an epoch, an era and an observation still share with chunk g.
    std::uint64_t stretch_end(std::uint64_t g) const;

    /// Its step size and scale. Its epoch must have been prepared.
    Pace pace(std::uint64_t g) const;

    /// Those of an epoch's cells, each at its cell's first position: cells() of them. The epoch must have been prepared.
    void paces(std::uint32_t epoch, Pace* out) const;
    std::uint64_t cells() const { return cells_per_epoch_; }

    /// The pace of the sample after `updates` ones, below the run's: where workers step on positions far apart, the moment
    /// decides and not the position.
    Pace pace_after(std::uint64_t updates) const;

    /// The scale at an epoch's start, when the epochs before have been prepared and eras that end there have ended.
    double scale_before(std::uint32_t epoch) const;

    /// The scale once all chunks up to and including g are done.
    double scale_after(std::uint64_t g) const;

    /// The scale when `updates` samples have been stepped through, in order or nearly; of the era that their last one lies in.
    double scale_at(std::uint64_t updates) const;

    /// Fills the step sizes and scales of an epoch from the schedule. The epochs before must have been prepared.
    void prepare(std::uint32_t epoch, const Schedule& schedule);

    /// Eras that end before chunk g.
    std::uint64_t eras_before(std::uint64_t g) const {
        return static_cast<std::uint64_t>(next_era(cell(g)) - eras_.begin()) - 1;
    }

    /// One past the last chunk of the era that holds chunk g.
    std::uint64_t era_end(std::uint64_t g) const;

    /// Samples of the run before chunk g's era.
    std::uint64_t samples_begin(std::uint64_t g) const;

    /// Samples of the run up to the end of chunk g's era, or of the first `epochs` epochs if that comes first.
    std::uint64_t samples_end(std::uint64_t g, std::uint32_t epochs) const {
        return std::min(updates_after(era_end(g) - 1), std::uint64_t{epochs} * rows_);
    }

    /// The observation that is due once chunk g is done, or 0: numbered 1 .. observations(), the last one at the end.
    std::uint64_t observation_after(std::uint64_t g) const;
    std::uint64_t observations() const { return std::uint64_t{observations_per_epoch_} * epochs_; }

    /// Samples consumed when all chunks up to and including g are done.
    std::uint64_t updates_after(std::uint64_t g) const;

private:
    /// The run's cell that chunk g lies in.
    std::uint64_t cell(std::uint64_t g) const;

    /// In eras_, where the era after a cell's begins.
    std::vector<std::uint64_t>::const_iterator next_era(std::uint64_t cell) const {
        return std::upper_bound(eras_.begin(), eras_.end(), cell);
    }

    struct Cell {
        double step = 0;
        double scale = 1;
    };

    std::uint32_t rows_;
    std::uint32_t epochs_;
    std::uint32_t observations_per_epoch_;
    double l2_;
    std::uint32_t chunk_;
    std::uint64_t chunks_per_epoch_;
    std::uint64_t cells_per_epoch_;
    std::vector<Cell> cells_;
    std::vector<std::uint64_t> eras_; // the cells at which they begin; at last, how many cells there are
    std::vector<double> epoch_end_scale_;
};

} // namespace hogwild
