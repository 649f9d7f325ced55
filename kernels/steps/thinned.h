// Thinned increments: of those of hot coordinates one in k is written, k times as large, so that on average each is what it was.
//
//   coordinate j < hot of a sample:   w_j += k x increment   if the coin of (seed, epoch, sample, cache line of j) says so
//   all others:                       as the update policy writes them
//
// Coins are philox's (kernels/numbers/random.h), the same on any machine and for any number of workers. A coin says so
// for one in k of all 2^32 numbers that it is drawn from, up to one number. Coordinates of one line have one coin in a
// sample, since the line travels however many of them are written. A sample that is drawn twice in an epoch has the
// same coins both times. With k = 1 steps are the update policy's, bit for bit.
//
// Thread-safety: that of the update policy.
// Source: Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011, section 7, for leaving out updates; the factor k is this engine's.
#pragma once

#include "kernels/numbers/random.h"
#include "kernels/steps/steps.h"
#include "kernels/views/sparse_view.h"
#include "kernels/worker_context.h"

#include <cstdint>

namespace hogwild {

struct Thinning {
    static constexpr std::uint32_t kMostPeriod = 1u << 16;

    std::uint32_t hot;    // coordinates, the first ones
    std::uint32_t period; // k, at least 1
};

/// Those of one sample.
class Coins {
public:
    Coins(std::uint32_t period, std::uint64_t seed, std::uint32_t epoch, std::uint32_t sample)
        : period_(period), epoch_(epoch), sample_(sample), key_(philox_key(seed)) {}

    /// Whether increments of this line of coordinates are written. In rising order four lines cost one draw.
    bool says(std::uint32_t line) {
        if (line / 4 != drawn_) {
            drawn_ = line / 4;
            words_ = philox({drawn_, sample_, epoch_, kPurpose}, key_);
        }
        return (std::uint64_t{words_[line % 4]} * period_) >> 32 == 0;
    }

private:
    static constexpr std::uint32_t kPurpose = 0x7417; // of no other draws

    std::uint32_t period_, epoch_, sample_;
    PhiloxKey key_;
    std::uint32_t drawn_ = ~0u;
    PhiloxCounter words_{};
};

/// The update policy of one sample, whose row names its columns in rising order.
template <class Update>
class Thinned {
public:
    Thinned(const Update& update, const Thinning& thinning, Coins coins)
        : update_(update), thinning_(thinning), coins_(coins) {}

    template <class Lanes>
    void add_row(float* weights, const SparseRow& row, float scale) const {
        constexpr std::uint32_t kLine = 16;
        const float larger = scale * static_cast<float>(thinning_.period);
        Coins coins = coins_;
        std::uint32_t k = 0;
        while (k < row.size && row.index[k] < thinning_.hot) {
            const std::uint32_t line = row.index[k] / kLine;
            const bool written = coins.says(line);
            for (; k < row.size && row.index[k] / kLine == line; ++k) {
                if (written) update_.add(weights[row.index[k]], larger * row.value[k]);
            }
        }
        update_.template add_row<Lanes>(weights, {row.index + k, row.value + k, row.size - k, row.label}, scale);
    }

private:
    const Update& update_;
    const Thinning& thinning_;
    Coins coins_;
};

/// The steps of kernels/steps/steps.h, unguarded and unwatched, with thinned increments.
template <class Problem, class Lanes, class Update>
void thinned_steps(const SparseView& data, const Chunk& chunk, const Thinning& thinning, WorkerContext& context) {
    using Pattern = typename Problem::Pattern;
    const Update update(context);
    typename Pattern::template Step<Problem, Lanes> step(data, chunk);
    const typename Pattern::Prefetch prefetch(data, chunk);
    if (!chunk.primed) prefetch.prime();
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        prefetch.at(i);
        const SparseRow row = step.sample(chunk.samples[i]);
        if (step.read(row)) {
            const Coins coins(thinning.period, chunk.seed, chunk.epoch, chunk.samples[i]);
            step.write(Thinned<Update>(update, thinning, coins), row);
        }
        step.next();
    }
}

} // namespace hogwild
