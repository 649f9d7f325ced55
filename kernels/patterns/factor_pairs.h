// The access pattern of factorization: a sample is a pair of factor rows, its prediction their product.
//
// With slope s of the loss in the prediction, a step adds to the pair, both increments from one reading of both rows,
//     p_u <- p_u - step (s q_i + lambda p_u),    q_i <- q_i - step (s p_u + lambda q_i),
//     b_u <- b_u - step (s + lambda b_u),        c_i <- c_i - step (s + lambda c_i).
// L2 shrinks what a sample touches, and nothing else: the scale of lazy L2 stays 1.
// Source: Koren, Bell, Volinsky 2009; Recht et al. 2011, section 3.
#pragma once

#include "kernels/atomic.h"
#include "kernels/batch.h"
#include "kernels/lanes/scalar.h"
#include "kernels/parameters.h"
#include "kernels/prefetch.h"
#include "kernels/problem.h"
#include "kernels/random.h"
#include "kernels/ratings_view.h"
#include "kernels/steps.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

namespace hogwild {

/// Runs ahead of a loop over ratings: first for where a pair lies, later for its factors.
class PairPrefetch {
public:
    static constexpr std::uint32_t kPairsAhead = 4;

    PairPrefetch(const RatingsView& data, const Chunk& chunk)
        : data_(data), weights_(chunk.weights), samples_(chunk.samples), count_(chunk.count + chunk.ahead) {}

    /// Before the loop.
    void prime() const {
        for (std::uint32_t i = 0; i < Chunk::kMostAhead && i < count_; ++i) rating(samples_[i]);
        for (std::uint32_t i = 0; i < kPairsAhead && i < count_; ++i) factors(samples_[i]);
    }

    /// At the loop's i-th sample.
    void at(std::uint32_t i) const {
        if (i + Chunk::kMostAhead < count_) rating(samples_[i + Chunk::kMostAhead]);
        if (i + kPairsAhead < count_) factors(samples_[i + kPairsAhead]);
    }

private:
    void rating(std::uint64_t i) const { prefetch_to_read(data_.ratings + i); }

    void factors(std::uint64_t i) const {
        constexpr std::uint32_t kPerLine = 64 / sizeof(float);
        const FactorPair pair = data_.row(i);
        for (std::uint32_t k = 0; k < pair.rank; k += kPerLine) {
            prefetch_to_write(weights_ + pair.user + k);
            prefetch_to_write(weights_ + pair.item + k);
        }
        if (!pair.biased) return;
        prefetch_to_write(weights_ + pair.user_bias);
        prefetch_to_write(weights_ + pair.item_bias);
    }

    const RatingsView& data_;
    const float* weights_;
    const std::uint32_t* samples_;
    std::uint32_t count_;
};

struct FactorPairs {
    using View = RatingsView;

    static constexpr std::array<std::string_view, 1> kScores{"test_rmse"};
    static constexpr bool kScoresTraining = false;
    static constexpr bool kHoldsOut = true;
    static constexpr bool kOnGpu = true;
    static constexpr bool kHalves = true;
    static constexpr bool kShrinksAll = false;
    static constexpr bool kRegularised = true;
    static constexpr double kUsualL2 = 0.04; // a factor is shrunk as often as it is rated, not once a sample
    static constexpr std::array<Parameter, 2> kParameters{{
        {"rank", 32, 1, 1024, true, "factors of a user, of an item"},
        {"biases", 1, 0, 1, true, "1: users and items have biases, and ratings a mean; 0: factors alone"},
    }};

    static std::uint64_t coordinates(const RatingsView& data, std::span<const double> parameters) {
        return (std::uint64_t{data.users} + data.items) *
               (static_cast<std::uint64_t>(parameters[0]) + (parameters[1] != 0 ? 1 : 0));
    }

    static RatingsView bound(const RatingsView& data, std::span<const double> parameters, double l2) {
        RatingsView view = data;
        view.model.rank = static_cast<std::uint32_t>(parameters[0]);
        view.model.biased = parameters[1] != 0;
        view.model.l2 = static_cast<float>(l2);
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
              weights_(chunk.weights),
              step_(static_cast<float>(chunk.step)),
              shrink_(static_cast<float>(-chunk.step * data.model.l2)) {}

        FactorPair sample(std::uint32_t i) const { return data_.row(i); }

        bool read(const FactorPair& pair) {
            float prediction = Lanes::dot(weights_ + pair.user, weights_ + pair.item, pair.rank);
            if (pair.biased) {
                user_bias_ = relaxed_load(weights_[pair.user_bias]);
                item_bias_ = relaxed_load(weights_[pair.item_bias]);
                prediction = prediction + (data_.model.mean + (user_bias_ + item_bias_));
            }
            along_ = -step_ * Problem::slope(prediction, pair.rating);
            return true;
        }

        template <class Update>
        void write(const Update& update, const FactorPair& pair) const {
            update.template add_pair<Lanes>(weights_ + pair.user, weights_ + pair.item, pair.rank, along_, shrink_);
            if (!pair.biased) return;
            update.add(weights_[pair.user_bias], along_ + shrink_ * user_bias_);
            update.add(weights_[pair.item_bias], along_ + shrink_ * item_bias_);
        }

        void next() {}

    private:
        const RatingsView& data_;
        float* weights_;
        float step_;
        float shrink_;
        float along_ = 0;
        float user_bias_ = 0, item_bias_ = 0;
    };

    /// A sample emits its gradient: of p_u, of q_i, of the biases.
    static std::uint32_t emission(const RatingsView& data) {
        return 2 * (data.model.rank + (data.model.biased ? 1 : 0));
    }

    template <class Problem, class Lanes>
    static void emit(const RatingsView& data, const BatchEmit& batch) {
        const std::uint32_t size = emission(data);
        const float l2 = data.model.l2;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const FactorPair pair = data.row(batch.samples[i]);
            const float *p = batch.weights + pair.user, *q = batch.weights + pair.item;
            const float slope = Problem::slope(prediction<Lanes>(data, pair, batch.weights), pair.rating);
            float* out = batch.emitted + std::size_t{i} * size;
            for (std::uint32_t k = 0; k < pair.rank; ++k) out[k] = slope * q[k] + l2 * p[k];
            for (std::uint32_t k = 0; k < pair.rank; ++k) out[pair.rank + k] = slope * p[k] + l2 * q[k];
            if (!pair.biased) continue;
            out[2 * pair.rank] = slope + l2 * batch.weights[pair.user_bias];
            out[2 * pair.rank + 1] = slope + l2 * batch.weights[pair.item_bias];
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
                for (std::uint32_t k = 0; k < pair.rank; ++k) batch.weights[factors + k] += batch.factor * by[k];
                if (pair.biased) batch.weights[bias] += batch.factor * emitted[2 * pair.rank + which];
            };
            if (owns(pair.user_group)) add(pair.user, pair.user_bias, 0);
            if (owns(pair.item_group)) add(pair.item, pair.item_bias, 1);
        }
    }

    /// Of a few samples, with their share of the regulariser, in double.
    template <class Problem>
    static double mean_loss(const RatingsView& data, const std::uint32_t* samples, std::uint32_t count,
                            const float* weights, float) {
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
        const float product = Lanes::dot(weights + pair.user, weights + pair.item, pair.rank);
        if (!pair.biased) return product;
        return product +
               (data.model.mean + (relaxed_load(weights[pair.user_bias]) + relaxed_load(weights[pair.item_bias])));
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
