// The access pattern of linear problems: a sample is a sparse row, its margin a gather, its increments a scatter.
//
// The buffer holds v; the weights are w = scale v. Lazy L2: a step w <- (1 - step lambda) w - step slope x becomes
//     scale <- scale (1 - step lambda),    v <- v - (step / scale) slope x,
// which costs the row's nonzeros. A slope of zero writes nothing. Source: Bottou's svmsgd; Shalev-Shwartz et al. 2011.
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/parameters.h"
#include "kernels/problem.h"
#include "kernels/score.h"
#include "kernels/steps/batch.h"
#include "kernels/steps/steps.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/sparse_view.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace hogwild {

struct SparseRows {
    using View = SparseView;

    static constexpr std::array<Score, 1> kScores{{{"test_error", Scored::kTest, false, 0, 1}}};
    static constexpr bool kHoldsOut = false;
    static constexpr bool kOnGpu = true;
    static constexpr bool kHalves = false;
    static constexpr bool kHotCopies = true;
    static constexpr bool kShrinksAll = true;
    static constexpr bool kRegularised = true;
    static constexpr double kUsualL2 = kOneOverSamples;
    static constexpr bool kGuided = true;
    static constexpr std::array<Parameter, 0> kParameters{};

    static std::uint64_t coordinates(const SparseView& data, const ModelChoice&) { return data.columns; }
    static SparseView bound(const SparseView& data, const ModelChoice&) { return data; }
    static float initial(const SparseView&, std::uint64_t, std::uint32_t) { return 0; }

    struct Prefetch : RowPrefetch {
        Prefetch(const SparseView& data, const Chunk& chunk)
            : RowPrefetch(data, chunk.samples, chunk.count + chunk.ahead) {}
    };

    /// Steps on weights that `Lanes` and update policies know: floats, or cells of shorter numbers
    /// (kernels/patterns/low_precision_steps.h).
    template <LinearProblem Problem, class Lanes, class Weights = float*>
    class Step {
    public:
        static constexpr bool kWritesAgain = true;

        Step(const SparseView& data, const Chunk& chunk) : Step(data, chunk, chunk.weights) {}

        Step(const SparseView& data, const Chunk& chunk, Weights weights)
            : data_(data),
              weights_(weights),
              chunk_step_(chunk.step),
              step_(chunk.step),
              scale_(chunk.scale),
              decay_(chunk.decay),
              skip_(chunk.skip),
              inverse_(chunk.inverse > 0 ? chunk.inverse : 1.0 / chunk.scale),
              inverse_decay_(1.0 / chunk.decay),
              inverse_skip_(1.0 / chunk.skip) {}

        SparseRow sample(std::uint32_t i) const { return data_.row(i); }

        bool read(const SparseRow& row) {
            const float margin = static_cast<float>(scale_) * Lanes::dot(weights_, row);
            slope_ = Problem::slope(margin, row.label);
            scale_ *= decay_;
            inverse_ *= inverse_decay_;
            return slope_ != 0.0f;
        }

        template <class Update>
        void write(const Update& update, const SparseRow& row) const {
            update.template add_row<Lanes>(weights_, row, static_cast<float>(-step_ * inverse_) * slope_);
        }

        void next() {
            scale_ *= skip_;
            inverse_ *= inverse_skip_;
        }

        void use(float* weights) { weights_ = weights; }
        /// Rescales the step of the loss alone: L2 shrinks weights as samples go by, whatever becomes of their increments.
        void rescale(double factor) { step_ = chunk_step_ * factor; }

    private:
        const SparseView& data_;
        Weights weights_;
        double chunk_step_, step_;
        double scale_, decay_, skip_;
        double inverse_, inverse_decay_, inverse_skip_;
        float slope_ = 0;
    };

    /// A sample emits its slope.
    static std::uint32_t emission(const SparseView&) { return 1; }

    template <LinearProblem Problem, class Lanes>
    static void emit(const SparseView& data, const BatchEmit& batch) {
        const RowPrefetch prefetch(data, batch.samples, batch.count);
        prefetch.prime();
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            prefetch.at(i);
            const SparseRow row = data.row(batch.samples[i]);
            const float slope = Problem::slope(batch.scale * Lanes::dot(batch.weights, row), row.label);
            batch.emitted[i] = slope;
            if (slope == 0.0f) continue;
            std::uint32_t k = 0;
            for (std::uint32_t o = 0; o + 1 < batch.owners; ++o) {
                while (k < row.size && row.index[k] < batch.bounds[o + 1]) ++k;
                batch.cuts[std::size_t{i} * batch.owners + o] = k;
            }
        }
    }

    template <class Lanes>
    static void apply(const SparseView& data, const BatchApply& batch) {
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            if (batch.emitted[i] == 0.0f) continue;
            const SparseRow row = data.row(batch.samples[i]);
            const std::uint32_t* cuts = batch.cuts + std::size_t{i} * batch.owners;
            const std::uint32_t begin = batch.owner == 0 ? 0 : cuts[batch.owner - 1];
            const std::uint32_t end = batch.owner + 1 == batch.owners ? row.size : cuts[batch.owner];
            const SparseRow part{row.index + begin, row.value + begin, end - begin, row.label};
            Lanes::add(batch.weights, part, batch.factor * batch.emitted[i]);
        }
    }

    /// Mean loss of a few samples in the order given, in double: the plateau test of the backoff protocol. The
    /// library's log and exp may differ in a last bit between systems. So may the run, where a plateau is decided by a
    /// hair.
    template <LinearProblem Problem>
    static double mean_loss(const SparseView& data, const std::uint32_t* samples, std::uint32_t count,
                            const float* weights, float scale, float* = nullptr) {
        double sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const SparseRow row = data.row(samples[i]);
            sum += Problem::value(double{scale * ScalarLanes::dot(weights, row)}, double{row.label});
        }
        return count == 0 ? 0 : sum / count;
    }
};

} // namespace hogwild
