// The access pattern of networks: a step takes a few images together and touches every weight.
//
// All of a step's weights are read, and its whole gradient's slopes computed, before the first is written. `read` is a
// worker's choice: in place, where a weight may change between two looks at it, or from a copy made first
// (WorkerContext::copies). The gradient is made a few rows at a time. Rows of it that are zero are not written, such as
// those of a picture's border. A layer may have an update policy of its own (WorkerContext::layer_updates).
// L2 shrinks all weights but biases, gamma and beta, by what a step read last. An optimiser (WorkerContext::optimizer)
// takes rows that are written, by its sparse rule. Running statistics of batch normalisation have increments of their
// own, whatever the optimiser, the step size and L2 (kernels/network/layers/batch_norm.h).
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/network/bound_images.h"
#include "kernels/network/layers/layer_updates.h"
#include "kernels/network/layers/optimizer_step.h"
#include "kernels/numbers/random.h"
#include "kernels/parameters.h"
#include "kernels/patterns/network_gradient.h"
#include "kernels/patterns/network_pass.h"
#include "kernels/probes/layers.h"
#include "kernels/problem.h"
#include "kernels/score.h"
#include "kernels/steps/batch.h"
#include "kernels/steps/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hogwild {

/// Images are read line by line, and weights are all read at every step: nothing is asked for ahead.
struct NoPrefetch {
    NoPrefetch(const ImagesView&, const Chunk&) {}
    void prime() const {}
    void at(std::uint32_t) const {}
};

struct ImageBatches {
    using View = ImagesView;
    using Prefetch = NoPrefetch;

    static constexpr std::array<Score, 1> kScores{{{"test_error", Scored::kTest, false, 0, 1}}};
    static constexpr bool kHoldsOut = true;
    static constexpr bool kOnGpu = true;
    static constexpr bool kHalves = false;
    static constexpr bool kShrinksAll = false;
    static constexpr bool kRegularised = true;
    static constexpr double kUsualL2 = 0;
    static constexpr bool kTakesNetwork = true;
    static constexpr bool kTakesBatches = true;
    static constexpr bool kTouchesAll = true;
    static constexpr bool kGuided = true;
    static constexpr std::array<Parameter, 0> kParameters{};

    static std::uint64_t coordinates(const ImagesView&, const ModelChoice& model) { return model.network->coordinates; }

    static ImagesView bound(const ImagesView& data, const ModelChoice& model) {
        ImagesView view = data.bound_to(*model.network);
        view.l2 = static_cast<float>(model.l2);
        return view;
    }

    /// Weights of a layer within +- gain x sqrt(3 / depth), uniformly, which keeps the spread of what goes through; biases 0.
    /// Gains: sqrt 2 of relu (He et al. 2015), 5/3 of tanh, 4 of the logistic function (Glorot and Bengio 2010), else 1.
    /// In batch normalisation gamma and running variances begin at 1, beta and running means at 0.
    static float initial(const ImagesView& data, std::uint64_t seed, std::uint32_t j) {
        constexpr std::uint32_t kStream = 0x6E657477; // sets these words apart from those of other uses of the seed
        const Layer& layer = data.network().layers[data.network().layer_of(j)];
        if (layer.normalises()) {
            const std::uint32_t row = (j - layer.weights) / layer.out.channels;
            return row == NormRow::kGamma || row == NormRow::kVariance ? 1.0f : 0.0f;
        }
        if (j >= layer.biases()) return 0;
        const float number = unit_float(philox({j, kStream, 0, 0}, philox_key(seed))[0]);
        return (2 * number - 1) * gain(layer.activation) * std::sqrt(3.0f / static_cast<float>(layer.depth));
    }

    /// What halves of a synchronous step need: rows of a gradient, and windows. The tape of their samples lies elsewhere.
    static std::size_t scratch(const ImagesView& data) {
        return gradient_floats(data) + lines(NetworkPass::windows(data));
    }

    /// What whole steps need.
    static std::size_t step_scratch(const ImagesView& data, std::uint32_t batch, bool copies) {
        return scratch(data) + (copies ? lines(data.coordinates()) : 0) + batch * NetworkTape::size(data);
    }

    template <class Problem, class Lanes>
    class Step {
    public:
        Step(const ImagesView& data, const Chunk& chunk, const WorkerContext& context)
            : data_(data),
              weights_(chunk.weights),
              chunk_step_(chunk.step),
              step_(chunk.step),
              step_of_(chunk.step_of),
              gradient_(context.scratch.data()),
              copy_(gradient_ + scratch(data)),
              copies_(context.copies),
              optimizer_(context.optimizer),
              layers_(context.layer_updates),
              probe_(context),
              pass_(data, {chunk.seed, chunk.epoch, true}, copy_ + (copies_ ? lines(data.coordinates()) : 0),
                    gradient_ + gradient_floats(data), copies_ ? nullptr : &probe_) {}

        Step(const Step&) = delete; // the pass knows its probe
        Step& operator=(const Step&) = delete;

        ImageBatch sample(const std::uint32_t* samples, std::uint32_t count) const {
            return {samples, count, data_.groups(), data_.coordinates()};
        }

        bool read(const ImageBatch& batch) {
            const float* from = weights_;
            if (copies_) {
                for (std::uint32_t l = 0; l < data_.network().count; ++l) probe_.read(l);
                Lanes::copy_row(copy_, weights_, data_.coordinates());
                from = copy_;
            }
            pass_.template forward<Lanes>(batch, from);
            pass_.template back<Problem, Lanes>(batch, from);
            return true;
        }

        template <class Update>
        void write(const Update& update, const ImageBatch& batch) const {
            const OptimizerStep step = OptimizerStep::next(optimizer_, batch.count);
            const double share = step_of_ == 0 ? 1 : static_cast<double>(batch.count) / step_of_;
            const auto factor = static_cast<float>(step.factor(step_ * share));
            const auto add = [&](float* weights, const float* row, std::uint32_t size, float by) {
                with_layer_update(
                    layers_, static_cast<std::uint32_t>(place(weights, weights_)), update,
                    [&](const auto& policy) { policy.template add_dense<Lanes>(weights, row, size, by); });
            };
            NetworkGradient(data_, pass_.tape(), batch.count, gradient_)
                .for_each_row<Lanes>(
                    weights_, {0, data_.groups()},
                    [&](float* weights, float* row, std::uint32_t size) {
                        step.template turn<Lanes>(row, place(weights, weights_), size);
                        add(weights, row, size, factor);
                    },
                    [&](float* weights, const float* row, std::uint32_t size) {
                        add(weights, row, size, BatchNorm::kRunningRate);
                    },
                    [&](std::uint32_t layer) { probe_.wrote(layer); });
        }

        void next() {}

        void use(float* weights) { weights_ = weights; }
        void rescale(double factor) { step_ = chunk_step_ * factor; }

    private:
        const ImagesView& data_;
        float* weights_;
        double chunk_step_, step_;
        std::uint32_t step_of_;
        float* gradient_;
        float* copy_;
        bool copies_;
        const OptimizerState* optimizer_;
        std::span<const LayerUpdate> layers_;
        LayerProbe probe_;
        NetworkPass pass_;
    };

    /// Synchronous batches are shared out by so many images: ghost batches, where there are any.
    static std::uint32_t together(const ImagesView& data) {
        return data.network().normalises() ? BatchNorm::kGhost : 1;
    }

    /// A sample emits its tape.
    static std::uint32_t emission(const ImagesView& data) {
        return static_cast<std::uint32_t>(NetworkTape::size(data));
    }

    template <class Problem, class Lanes>
    static void emit(const ImagesView& data, const BatchEmit& batch) {
        const NetworkPass pass(data, {batch.seed, batch.epoch, true}, batch.emitted, batch.scratch);
        const ImageBatch images{batch.samples, batch.count, data.groups(), data.coordinates()};
        pass.template forward<Lanes>(images, batch.weights);
        pass.template back<Problem, Lanes>(images, batch.weights);
    }

    template <class Lanes>
    static void apply(const ImagesView& data, const BatchApply& batch) {
        const NetworkTape tape(data, const_cast<float*>(batch.emitted)); // read only from here
        const OptimizerStep step(batch.optimizer, batch.number, batch.count);
        NetworkGradient(data, tape, batch.count, batch.scratch)
            .for_each_row<Lanes>(
                batch.weights, {batch.bounds[batch.owner], batch.bounds[batch.owner + 1]},
                [&](float* weights, float* row, std::uint32_t size) {
                    step.template turn<Lanes>(row, place(weights, batch.weights), size);
                    Lanes::add_dense(weights, row, size, batch.factor);
                },
                [&](float* weights, const float* row, std::uint32_t size) {
                    Lanes::add_dense(weights, row, size, BatchNorm::kRunningRate);
                },
                [](std::uint32_t) {});
    }

    /// The mean loss of a few samples, in double. `scratch` holds a sample's tape beside that of halves of a step.
    template <class Problem>
    static double mean_loss(const ImagesView& data, const std::uint32_t* samples, std::uint32_t count,
                            const float* weights, float, float* scratch) {
        const NetworkPass pass(data, {}, scratch, scratch + NetworkTape::size(data));
        double sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            pass.forward<ScalarLanes>({samples + i, 1, data.groups(), data.coordinates()}, weights);
            sum += loss_of<Problem>(data, pass.tape().scores(0), samples[i]);
        }
        return count == 0 ? 0 : sum / count + 0.5 * double{data.l2} * squared_norm(data, weights);
    }

    /// The loss of sample i with these scores, in double.
    template <class Problem>
    static double loss_of(const ImagesView& data, const float* scores, std::uint32_t i) {
        double wide[ImagesView::kMostClasses] = {};
        std::copy_n(scores, data.classes, wide);
        return Problem::value(wide, data.classes, data.labels[i]);
    }

    /// Taken over all weights of dense layers and convolutions but biases, in double.
    static double squared_norm(const ImagesView& data, const float* weights) {
        double sum = 0;
        for (std::uint32_t l = 0; l < data.network().count; ++l) {
            const Layer& layer = data.network().layers[l];
            if (!layer.weighted()) continue;
            for (std::uint32_t j = layer.weights; j < layer.biases(); ++j) {
                const double weight = relaxed_load(weights[j]);
                sum += weight * weight;
            }
        }
        return sum;
    }

private:
    /// So many floats, and the rest of their last cache line.
    static constexpr std::size_t lines(std::size_t floats) { return (floats + 15) / 16 * 16; }

    static std::size_t gradient_floats(const ImagesView& data) { return lines(NetworkGradient::floats(data)); }

    static std::size_t place(const float* weight, const float* weights) {
        return static_cast<std::size_t>(weight - weights);
    }

    static float gain(Activation activation) {
        switch (activation) {
        case Activation::kRelu: return std::sqrt(2.0f);
        case Activation::kTanh: return 5.0f / 3.0f;
        case Activation::kSigmoid: return 4.0f;
        case Activation::kNone: break;
        }
        return 1.0f;
    }
};

} // namespace hogwild
