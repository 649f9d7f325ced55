// The access pattern of skip-gram: a sample is a window of text (kernels/views/tokens_view.h), its prediction a small matrix of
// products of vectors (kernels/patterns/window_gradient.h).
//
// A position whose word is not kept, or has no context, writes nothing. There is no regulariser: the scale of lazy L2 stays 1.
// Source: Mikolov et al. 2013; word2vec.c, whose initial weights and usual parameters these are.
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/numbers/random.h"
#include "kernels/parameters.h"
#include "kernels/patterns/window_gradient.h"
#include "kernels/problem.h"
#include "kernels/score.h"
#include "kernels/steps/batch.h"
#include "kernels/steps/steps.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/tokens_view.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hogwild {

/// Runs ahead of a loop over positions that are mostly neighbours. It asks for the centre's output, the negatives', and
/// the input of the word that comes into sight. Negatives of lists behind the first are met as they are drawn.
class WindowPrefetch {
public:
    static constexpr std::uint32_t kWindowsAhead = 8;

    WindowPrefetch(const TokensView& data, const Chunk& chunk)
        : data_(data),
          draws_(chunk.seed, chunk.epoch),
          weights_(chunk.weights),
          samples_(chunk.samples),
          count_(chunk.count + chunk.ahead) {}

    /// Before the loop.
    void prime() const {
        for (std::uint32_t i = 0; i < kWindowsAhead && i < count_; ++i) window(samples_[i]);
    }

    /// At the loop's i-th sample.
    void at(std::uint32_t i) const {
        if (i + kWindowsAhead < count_) window(samples_[i + kWindowsAhead]);
    }

private:
    [[gnu::noinline]] void window(std::uint64_t i) const {
        const std::uint64_t next = i + 2 * data_.model.window;
        if (next < data_.rows && data_.kept(next, draws_.of(next))) vector(data_.word(next));
        if (!data_.kept(i, draws_.of(i))) return;
        vector(data_.words + data_.word(i));
        for (std::uint32_t k = 0; k < data_.model.negatives; ++k)
            vector(data_.words + data_.draw_negative(draws_.negative(i, k)));
    }

    void vector(std::uint32_t group) const {
        constexpr std::uint32_t kPerLine = 64 / sizeof(float);
        const float* const at = weights_ + std::size_t{group} * data_.model.dim;
        for (std::uint32_t k = 0; k < data_.model.dim; k += kPerLine) prefetch_to_write(at + k);
    }

    const TokensView& data_;
    TokenDraws draws_;
    const float* weights_;
    const std::uint32_t* samples_;
    std::uint32_t count_;
};

struct TokenWindows {
    using View = TokensView;
    using Prefetch = WindowPrefetch;

    static constexpr std::array<Score, 3> kScores{{{"spearman_men", Scored::kTraining, true, -1, 1},
                                                   {"spearman_ws353", Scored::kTraining, true, -1, 1},
                                                   {"analogy_accuracy", Scored::kTraining, true, 0, 1}}};
    static constexpr bool kLongSteps = true; // a step takes as long as hundreds on a rating
    static constexpr bool kOnGpu = true;
    static constexpr bool kHalves = false;
    static constexpr bool kHoldsOut = false;
    static constexpr bool kShrinksAll = false;
    static constexpr bool kRegularised = false;
    static constexpr double kUsualL2 = 0;
    static constexpr std::array<Parameter, 5> kParameters{{
        {"dim", 100, 1, WindowGradient::kMostDim, true, "floats of a word's vector"},
        {"negatives", 5, 1, SkipGramModel::kMostNegatives, true, "words drawn against each centre"},
        {"window", 5, 1, SkipGramModel::kMostWindow, true, "the most context words to either side"},
        {"subsample", 1e-3, 0, 1, false,
         "a word of a larger share of the text is kept less often; 0: all words are kept"},
        {"shared_negatives", 1, 0, 1, true, "1: a window's contexts share their negatives; 0: each draws its own"},
    }};

    static std::uint64_t coordinates(const TokensView& data, const ModelChoice& model) {
        return 2 * std::uint64_t{data.words} * static_cast<std::uint64_t>(model.parameters[0]);
    }

    static TokensView bound(const TokensView& data, const ModelChoice& model) {
        const std::span<const double> parameters = model.parameters;
        TokensView view = data;
        view.model.dim = static_cast<std::uint32_t>(parameters[0]);
        view.model.negatives = static_cast<std::uint32_t>(parameters[1]);
        view.model.window = static_cast<std::uint32_t>(parameters[2]);
        view.model.root_subsample = static_cast<float>(std::sqrt(parameters[3]));
        view.model.shared = parameters[4] != 0;
        view.model.kept = 0;
        for (std::uint32_t w = 0; w < view.words; ++w) {
            const double rarity = view.rarity[w], keep = view.keep(w);
            view.model.kept += static_cast<double>(view.rows) / (rarity * rarity) * (keep < 1 ? keep : 1);
        }
        return view;
    }

    /// Inputs within +-1 / (2 dim), uniformly; outputs 0.
    static float initial(const TokensView& data, std::uint64_t seed, std::uint32_t j) {
        if (j >= data.words * data.model.dim) return 0;
        constexpr std::uint32_t kStream = 0x776F7264; // sets these words apart from those of other uses of the seed
        const float number = unit_float(philox({j, kStream, 1, 0}, philox_key(seed))[0]);
        return (number - 0.5f) / static_cast<float>(data.model.dim);
    }

    template <class Problem, class Lanes>
    class Step {
    public:
        Step(const TokensView& data, const Chunk& chunk)
            : data_(data),
              draws_(chunk.seed, chunk.epoch),
              weights_(chunk.weights),
              step_(static_cast<float>(chunk.step)) {}

        [[gnu::noinline]] TokenWindow sample(std::uint32_t i) const { return data_.window(i, draws_); }

        bool read(const TokenWindow& window) {
            if (window.contexts == 0) return false;
            gradient_.read<Problem, Lanes>(window, weights_, -step_);
            return true;
        }

        template <class Update>
        void write(const Update& update, const TokenWindow& window) const {
            gradient_.for_each_increment(window, [&](std::uint32_t group, const float* row, float scale) {
                update.template add_dense<Lanes>(weights_ + std::size_t{group} * window.dim, row, window.dim, scale);
            });
        }

        void next() {}

    private:
        const TokensView& data_;
        TokenDraws draws_;
        float* weights_;
        float step_;
        WindowGradient gradient_;
    };

    /// A sample emits how many vectors its gradient has, which, and each one's part of it.
    static std::uint32_t emission(const TokensView& data) { return 1 + most(data) * (1 + data.model.dim); }

    template <class Problem, class Lanes>
    static void emit(const TokensView& data, const BatchEmit& batch) {
        const TokenDraws draws(batch.seed, batch.epoch);
        const std::uint32_t dim = data.model.dim;
        WindowGradient gradient;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const TokenWindow window = data.window(batch.samples[i], draws);
            float* const out = batch.emitted + std::size_t{i} * emission(data);
            std::uint32_t count = 0;
            if (window.contexts > 0) gradient.read<Problem, Lanes>(window, batch.weights, 1);
            gradient.for_each_increment(window, [&](std::uint32_t group, const float* row, float scale) {
                std::memcpy(out + 1 + count, &group, sizeof group);
                float* const to = out + 1 + most(data) + std::size_t{count} * dim;
                for (std::uint32_t k = 0; k < dim; ++k) to[k] = scale * row[k];
                ++count;
            });
            std::memcpy(out, &count, sizeof count);
        }
    }

    template <class Lanes>
    static void apply(const TokensView& data, const BatchApply& batch) {
        const std::uint32_t dim = data.model.dim;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const float* const emitted = batch.emitted + std::size_t{i} * emission(data);
            std::uint32_t count, group;
            std::memcpy(&count, emitted, sizeof count);
            for (std::uint32_t r = 0; r < count; ++r) {
                std::memcpy(&group, emitted + 1 + r, sizeof group);
                if (group < batch.bounds[batch.owner] || group >= batch.bounds[batch.owner + 1]) continue;
                const float* const row = emitted + 1 + most(data) + std::size_t{r} * dim;
                Lanes::add_dense(batch.weights + std::size_t{group} * dim, row, dim, batch.factor);
            }
        }
    }

    /// The mean loss of a few positions, with the windows of row(), in double.
    template <class Problem>
    static double mean_loss(const TokensView& data, const std::uint32_t* samples, std::uint32_t count,
                            const float* weights, float, float* = nullptr) {
        double sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const TokenWindow window = data.row(samples[i]);
            for_each_pair(window, [&](std::uint32_t input, std::uint32_t output, double label) {
                const std::size_t dim = window.dim;
                const float *x = weights + input * dim, *y = weights + output * dim;
                sum += Problem::value(double{ScalarLanes::dot(x, y, window.dim)}, label);
            });
        }
        return count == 0 ? 0 : sum / count;
    }

    /// visit(input group, output group, label) for every product of a window.
    static void for_each_pair(const TokenWindow& window, const auto& visit) {
        for (std::uint32_t n = 0; n < window.contexts; ++n) {
            const std::uint32_t list = window.lists == 1 ? 0 : n;
            visit(window.context[n], window.words + window.centre, 1.0);
            for (std::uint32_t k = 0; k < window.count[list]; ++k)
                visit(window.context[n], window.words + window.negative[list * window.stride + k], 0.0);
        }
    }

private:
    /// Vectors that a window may increment.
    static std::uint32_t most(const TokensView& data) {
        const std::uint32_t contexts = 2 * data.model.window, lists = data.model.shared ? 1 : contexts;
        return contexts + 1 + lists * data.model.negatives;
    }
};

} // namespace hogwild
