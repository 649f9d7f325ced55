// The access pattern of linear problems: a sample is a sparse row, its margin a gather, its increments a scatter.
//
// The buffer holds v; the weights are w = scale v. Lazy L2: a step w <- (1 - step lambda) w - step slope x becomes
//     scale <- scale (1 - step lambda),    v <- v - (step / scale) slope x,
// which costs the row's nonzeros. A slope of zero writes nothing. Source: Bottou's svmsgd; Shalev-Shwartz et al. 2011.
#pragma once

#include "kernels/patterns/sparse_batch.h"
#include "kernels/prefetch.h"
#include "kernels/problem.h"
#include "kernels/steps.h"
#include "kernels/views.h"

#include <cstdint>

namespace hogwild {

struct SparseRows {
    using View = SparseView;
    using Prefetch = RowPrefetch;

    template <LinearProblem Problem, class Lanes>
    class Step {
    public:
        Step(const SparseView& data, const Chunk& chunk)
            : data_(data),
              weights_(chunk.weights),
              step_(chunk.step),
              scale_(chunk.scale),
              decay_(chunk.decay),
              skip_(chunk.skip),
              inverse_(1.0 / chunk.scale),
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

    private:
        const SparseView& data_;
        float* weights_;
        double step_;
        double scale_, decay_, skip_;
        double inverse_, inverse_decay_, inverse_skip_;
        float slope_ = 0;
    };

    template <LinearProblem Problem, class Lanes>
    static void slopes(const SparseView& data, const BatchSlopes& batch) {
        batch_slopes<Problem, Lanes>(data, batch);
    }

    template <class Lanes>
    static void apply(const SparseView& data, const BatchApply& batch) {
        batch_apply<Lanes>(data, batch);
    }

    template <LinearProblem Problem>
    static double mean_loss(const SparseView& data, const std::uint32_t* rows, std::uint32_t count,
                            const float* weights, float scale) {
        return hogwild::mean_loss<Problem>(data, rows, count, weights, scale);
    }
};

} // namespace hogwild
