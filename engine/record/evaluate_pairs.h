// Losses of snapshots over ratings (contract in evaluate.h).
//
// A prediction's product is summed in double in eight lanes, lane k mod 8 for factor k, folded in halves. The regulariser is
// each sample's own: squared_norm is the mean over samples of what the sample touches.
#pragma once

#include "engine/machine/parallel.h"
#include "engine/record/evaluate.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/patterns/pair_rows.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/ratings_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hogwild {

struct PairSums {
    double value = 0;
    double squared_norm = 0;
};

template <class Problem>
struct PairSumsBody {
    template <class Lanes>
    static void run(const RatingsView& data, const float* weights, std::uint64_t begin, std::uint64_t end,
                    PairSums& sums) {
        const std::uint32_t ahead = pairs_ahead(data.model.rank);
        const float* const biases = weights + std::size_t{data.groups()} * data.model.rank;
        for (std::uint64_t i = begin; i < end; ++i) {
            if (i + ahead < end) {
                const Rating& next = data.ratings[i + ahead];
                for_each_line(weights, biases, next.user, data.users + next.item, data.model.rank, data.model.biased,
                              prefetch_to_read);
            }
            const FactorPair pair = data.row(i);
            const float *p = weights + pair.user, *q = weights + pair.item;
            Lanes8 product, square;
            std::uint32_t k = 0;
            for (; k + 8 <= pair.rank; k += 8) {
                add(p + k, q + k, product.low, square.low);
                add(p + k + 4, q + k + 4, product.high, square.high);
            }
            if (k < pair.rank) {
                float x[8] = {}, y[8] = {}; // a product of zeros changes no sum
                std::copy(p + k, p + pair.rank, x);
                std::copy(q + k, q + pair.rank, y);
                add(x, y, product.low, square.low);
                add(x + 4, y + 4, product.high, square.high);
            }
            double prediction = product.folded();
            sums.squared_norm += square.folded();
            if (pair.biased) {
                const double b = weights[pair.user_bias], c = weights[pair.item_bias];
                prediction += double{data.model.mean} + (b + c);
                sums.squared_norm += b * b + c * c;
            }
            sums.value += Problem::value(prediction, double{pair.rating});
        }
    }

private:
    using Doubles [[gnu::vector_size(4 * sizeof(double))]] = double;
    using Floats [[gnu::vector_size(4 * sizeof(float)), gnu::aligned(sizeof(float)), gnu::may_alias]] = float;

    /// Sums that stay in registers. A plain array of them is stored and read again for every rating.
    struct Lanes8 {
        Doubles low{}, high{};

        double folded() const {
            const Doubles four = low + high;
            return (four[0] + four[2]) + (four[1] + four[3]);
        }
    };

    static void add(const float* p, const float* q, Doubles& product, Doubles& square) {
        const Doubles x = __builtin_convertvector(*reinterpret_cast<const Floats*>(p), Doubles);
        const Doubles y = __builtin_convertvector(*reinterpret_cast<const Floats*>(q), Doubles);
        product += x * y;
        square += x * x + y * y;
    }
};

template <class Problem>
Losses losses_of(const RatingsView& data, const float* weights) {
    constexpr std::uint64_t kGrain = 4096; // ratings per block: part of the result's definition, not of its speed alone
    using On =
        OnLanes<PairSumsBody<Problem>, const RatingsView&, const float*, std::uint64_t, std::uint64_t, PairSums&>;
    const auto add = best_instruction_set() == InstructionSet::kAvx512 ? On::avx512
                     : best_instruction_set() == InstructionSet::kAvx2 ? On::avx2
                                                                       : On::scalar;
    const auto blocks = parallel_map<PairSums>(data.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        PairSums sums;
        add(data, weights, begin, end, sums);
        return sums;
    });
    PairSums total;
    for (const PairSums& block : blocks) {
        total.value += block.value;
        total.squared_norm += block.squared_norm;
    }
    const auto rows = static_cast<double>(data.rows);
    Losses losses;
    losses.mean_loss = total.value / rows;
    losses.scores[0] = losses.scores[1] = Problem::score_of(losses.mean_loss); // of test or training ratings
    losses.squared_norm = total.squared_norm / rows;
    // A weight that overflowed may lie outside these samples.
    if (!std::isfinite(squared_norm(weights, data.coordinates())))
        losses.mean_loss = std::numeric_limits<double>::infinity();
    return losses;
}

} // namespace hogwild
