// The access pattern of factorization: a sample is a pair of factor rows, its prediction their product.
//
// With slope s of the loss in the prediction, a step adds to the pair, both increments from one reading of both rows,
//     p_u <- p_u - step (s q_i + lambda p_u),    q_i <- q_i - step (s p_u + lambda q_i),
//     b_u <- b_u - step (s + lambda b_u),        c_i <- c_i - step (s + lambda c_i).
// the steps of popular users and items smaller where the model says so (kernels/views/ratings_view.h). L2 shrinks what a sample
// touches, and nothing else: the scale of lazy L2 stays 1.
// Source: Koren, Bell, Volinsky 2009; Recht et al. 2011, section 2.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/compute_anyway.h"
#include "kernels/lanes/scalar.h"
#include "kernels/numbers/random.h"
#include "kernels/parameters.h"
#include "kernels/patterns/pair_rows.h"
#include "kernels/problem.h"
#include "kernels/score.h"
#include "kernels/steps/batch.h"
#include "kernels/steps/steps.h"
#include "kernels/views/ratings_view.h"
#include "kernels/views/row_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

namespace hogwild {

struct FactorPairs {
    using View = RatingsView;

    static constexpr std::array<Score, 2> kScores{{{"test_rmse", Scored::kTest}, {"train_rmse", Scored::kTraining}}};
    static constexpr bool kHoldsOut = true;
    static constexpr bool kOnGpu = true;
    static constexpr bool kHalves = true;
    static constexpr bool kHotCopies = true;
    static constexpr bool kShrinksAll = false;
    static constexpr bool kRegularised = true;
    static constexpr double kUsualL2 = 0.04; // a factor is shrunk as often as it is rated, not once a sample
    static constexpr std::array<Parameter, 3> kParameters{{
        {"rank", 32, 1, 1024, true, "factors of a user, of an item"},
        {"biases", 1, 0, 1, true, "1: users and items have biases, and ratings a mean; 0: factors alone"},
        {"damp_above", 0, 0, 1e9, true,
         "a user or item with more ratings takes steps smaller by sqrt(N / them); 0: none does"},
    }};

    static std::uint64_t coordinates(const RatingsView& data, const ModelChoice& model) {
        return (std::uint64_t{data.users} + data.items) *
               (static_cast<std::uint64_t>(model.parameters[0]) + (model.parameters[1] != 0 ? 1 : 0));
    }

    static RatingsView bound(const RatingsView& data, const ModelChoice& model) {
        RatingsView view = data;
        view.model.rank = static_cast<std::uint32_t>(model.parameters[0]);
        view.model.biased = model.parameters[1] != 0;
        view.model.l2 = static_cast<float>(model.l2);
        view.model.root_damp = static_cast<float>(std::sqrt(model.parameters[2]));
        return view;
    }

    /// Factors within +-1 / sqrt(10 rank), uniformly; biases 0. Symmetric factors would stay equal.
    static float initial(const RatingsView& data, std::uint64_t seed, std::uint32_t j) {
        if (j >= data.groups() * data.model.rank) return 0;
        constexpr std::uint32_t kStream = 0x66616374; // sets these words apart from those of other uses of the seed
        const float number = unit_float(philox({j, kStream, 0, 0}, philox_key(seed))[0]);
        return (2 * number - 1) / std::sqrt(10.0f * static_cast<float>(data.model.rank));
    }
    using Prefetch = PairPrefetch;

    template <class Problem, class Lanes>
    class Step {
    public:
        Step(const RatingsView& data, const Chunk& chunk)
            : data_(data),
              chunk_(chunk),
              weights_(chunk.weights),
              mean_(data.model.mean),
              step_(static_cast<float>(chunk.step)),
              shrink_(static_cast<float>(-chunk.step * data.model.l2)) {}

        FactorPair sample(std::uint32_t i) const { return data_.row(i); }

        bool read(const FactorPair& pair) {
            biases_ = read_biases(pair.biased, weights_ + pair.user_bias, weights_ + pair.item_bias);
            const float predicted =
                predict<Lanes>(weights_ + pair.user, weights_ + pair.item, pair.rank, pair.biased, mean_, biases_);
            const PairDamping damping = data_.damping(pair.user_group, pair.item_group - data_.users);
            by_ = PairStep(-step_ * Problem::slope(predicted, pair.rating), shrink_, damping);
            return true;
        }

        template <class Update>
        void write(const Update& update, const FactorPair& pair) const {
            update.template add_pair<Lanes>(weights_ + pair.user, weights_ + pair.item, pair.rank, by_.user, by_.item);
            if (!pair.biased) return;
            update.add(weights_[pair.user_bias], by_.user.of(1, biases_.user));
            update.add(weights_[pair.item_bias], by_.item.of(1, biases_.item));
        }

        void next() {}

        /// All of the chunk's steps. A rank that the compiler knows takes less time.
        template <class Update>
        void run(const Update& update, const PairPrefetch&) const {
            switch (data_.model.rank) {
            case 16: return run_ranked<16>(update);
            case 32: return run_ranked<32>(update);
            case 64: return run_ranked<64>(update);
            case 128: return run_ranked<128>(update);
            default: return run_ranked<0>(update);
            }
        }

    private:
        /// kRank: the rank, or 0 for any. By local numbers alone, which a compiler keeps in registers.
        template <std::uint32_t kRank, class Update>
        void run_ranked(const Update& update) const {
            const Rating* const ratings = data_.ratings;
            const std::uint32_t* const samples = chunk_.samples;
            const std::uint32_t count = chunk_.count, all = count + chunk_.ahead;
            const std::uint32_t rank = kRank > 0 ? kRank : data_.model.rank, users = data_.users;
            const std::uint32_t ahead = pairs_ahead(rank);
            const bool biased = data_.model.biased, damped = data_.model.root_damp > 0;
            float* const weights = weights_;
            float* const biases = weights + std::size_t{data_.groups()} * rank;
            const float mean = mean_, step = step_, shrink = shrink_;
            for (std::uint32_t i = 0; i < count; ++i) {
                if (i + Chunk::kMostAhead < all) prefetch_to_read(ratings + samples[i + Chunk::kMostAhead]);
                if (i + ahead < all) {
                    const Rating& next = ratings[samples[i + ahead]];
                    for_each_line(weights, biases, next.user, users + next.item, rank, biased, prefetch_to_write);
                }
                const Rating& rating = ratings[samples[i]];
                const std::uint32_t item = users + rating.item;
                float *const p = weights + rating.user * rank, *const q = weights + item * rank;
                const PairBiases read = read_biases(biased, biases + rating.user, biases + item);
                const float predicted = predict<Lanes>(p, q, rank, biased, mean, read);
                const PairDamping damping = damped ? computed(data_.damping(rating.user, rating.item)) : PairDamping{};
                const PairStep by(-step * Problem::slope(predicted, rating.value), shrink, damping);
                update.template add_pair<Lanes>(p, q, rank, by.user, by.item);
                if (!biased) continue;
                update.add(biases[rating.user], by.user.of(1, read.user));
                update.add(biases[item], by.item.of(1, read.item));
            }
        }

        /// Half of the users are popular, or none: a branch on it would be guessed wrong.
        static PairDamping computed(const PairDamping& damping) { return {opaque(damping.user), opaque(damping.item)}; }

        const RatingsView& data_;
        const Chunk& chunk_;
        float* weights_;
        float mean_;
        float step_;
        float shrink_;
        PairStep by_;
        PairBiases biases_;
    };

    /// A sample emits its gradient, damped: of p_u, of q_i, of the biases.
    static std::uint32_t emission(const RatingsView& data) {
        return 2 * (data.model.rank + (data.model.biased ? 1 : 0));
    }

    template <class Problem, class Lanes>
    static void emit(const RatingsView& data, const BatchEmit& batch) {
        constexpr std::uint32_t kAtOnce = 64;
        const std::uint32_t size = emission(data);
        const float l2 = data.model.l2;
        alignas(64) float p[kAtOnce], q[kAtOnce];
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const FactorPair pair = data.row(batch.samples[i]);
            const float slope = Problem::slope(prediction<Lanes>(data, pair, batch.weights), pair.rating);
            const PairStep by(slope, l2, data.damping(pair.user_group, pair.item_group - data.users));
            float* out = batch.emitted + std::size_t{i} * size;
            for (std::uint32_t first = 0; first < pair.rank; first += kAtOnce) {
                const std::uint32_t count = std::min(pair.rank - first, kAtOnce);
                Lanes::copy_row(p, batch.weights + pair.user + first, count);
                Lanes::copy_row(q, batch.weights + pair.item + first, count);
                float *const of_user = out + first, *const of_item = of_user + pair.rank;
                for (std::uint32_t k = 0; k < count; ++k) of_user[k] = by.user.of(q[k], p[k]);
                for (std::uint32_t k = 0; k < count; ++k) of_item[k] = by.item.of(p[k], q[k]);
            }
            if (!pair.biased) continue;
            const PairBiases biases = read_biases(true, batch.weights + pair.user_bias, batch.weights + pair.item_bias);
            out[2 * pair.rank] = by.user.of(1, biases.user);
            out[2 * pair.rank + 1] = by.item.of(1, biases.item);
        }
    }

    template <class Lanes>
    static void apply(const RatingsView& data, const BatchApply& batch) {
        const std::uint32_t size = emission(data);
        const auto owns = [&](std::uint32_t group) {
            return group >= batch.bounds[batch.owner] && group < batch.bounds[batch.owner + 1];
        };
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const FactorPair pair = data.row(batch.samples[i]);
            const float* emitted = batch.emitted + std::size_t{i} * size;
            const auto add = [&](std::uint32_t factors, std::uint32_t bias, std::uint32_t which) {
                const float* by = emitted + std::size_t{which} * pair.rank;
                Lanes::add_dense(batch.weights + factors, by, pair.rank, batch.factor);
                if (pair.biased)
                    ScalarLanes::add_dense(batch.weights + bias, emitted + 2 * pair.rank + which, 1, batch.factor);
            };
            if (owns(pair.user_group)) add(pair.user, pair.user_bias, 0);
            if (owns(pair.item_group)) add(pair.item, pair.item_bias, 1);
        }
    }

    /// The mean loss of a few samples, with their share of the regulariser, in double.
    template <class Problem>
    static double mean_loss(const RatingsView& data, const std::uint32_t* samples, std::uint32_t count,
                            const float* weights, float, float* = nullptr) {
        double sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const FactorPair pair = data.row(samples[i]);
            const double predicted = prediction<ScalarLanes>(data, pair, weights);
            sum += Problem::value(predicted, double{pair.rating}) +
                   0.5 * double{data.model.l2} * squared_norm(pair, weights);
        }
        return count == 0 ? 0 : sum / count;
    }

private:
    template <class Lanes>
    static float prediction(const RatingsView& data, const FactorPair& pair, const float* weights) {
        return predict<Lanes>(weights + pair.user, weights + pair.item, pair.rank, pair.biased, data.model.mean,
                              read_biases(pair.biased, weights + pair.user_bias, weights + pair.item_bias));
    }

    static double squared_norm(const FactorPair& pair, const float* weights) {
        double sum = 0;
        pair.for_each_coordinate([&](std::uint32_t j) {
            const double weight = relaxed_load(weights[j]);
            sum += weight * weight;
        });
        return sum;
    }
};

} // namespace hogwild
