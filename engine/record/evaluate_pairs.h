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
            double product[8] = {}, square[8] = {};
            std::uint32_t k = 0;
            for (; k + 8 <= pair.rank; k += 8) {
                for (std::uint32_t l = 0; l < 8; ++l) add(p[k + l], q[k + l], product[l], square[l]);
            }
            for (; k < pair.rank; ++k) add(p[k], q[k], product[k % 8], square[k % 8]);
            double prediction = folded(product);
            sums.squared_norm += folded(square);
            if (pair.biased) {
                const double b = weights[pair.user_bias], c = weights[pair.item_bias];
                prediction += double{data.model.mean} + (b + c);
                sums.squared_norm += b * b + c * c;
            }
            sums.value += Problem::value(prediction, double{pair.rating});
        }
    }

private:
    static void add(double x, double y, double& product, double& square) {
        product += x * y;
        square += x * x + y * y;
    }

    static double folded(double* lane) {
        for (std::uint32_t width = 4; width > 0; width /= 2) {
            for (std::uint32_t l = 0; l < width; ++l) lane[l] += lane[l + width];
        }
        return lane[0];
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
