#include "experiments/bench/rivals/cudnn_stage.h"

#include "engine/gpu/stages/conv_pool_stage.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <cudnn.h>

namespace hogwild {
namespace {

void check(cudnnStatus_t status, const std::string& what) {
    if (status == CUDNN_STATUS_SUCCESS) return;
    throw Error(what + " failed", cudnnGetErrorString(status), "leave the rows of cuDNN out");
}

/// An owner of one of cuDNN's things.
template <class T, cudnnStatus_t (*kCreate)(T*), cudnnStatus_t (*kDestroy)(T)>
class Owned {
public:
    Owned() { check(kCreate(&thing_), "asking cuDNN for a descriptor"); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { kDestroy(thing_); }
    operator T() const { return thing_; }

private:
    T thing_{};
};

using Handle = Owned<cudnnHandle_t, cudnnCreate, cudnnDestroy>;
using Filter = Owned<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using Convolution =
    Owned<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor>;
using Pooling = Owned<cudnnPoolingDescriptor_t, cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor>;
using ActivationOf =
    Owned<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor, cudnnDestroyActivationDescriptor>;

class Tensor : public Owned<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor> {
public:
    Tensor(cudnnTensorFormat_t format, unsigned images, unsigned channels, unsigned height, unsigned width) {
        check(cudnnSetTensor4dDescriptor(*this, format, CUDNN_DATA_FLOAT, static_cast<int>(images),
                                         static_cast<int>(channels), static_cast<int>(height), static_cast<int>(width)),
              "describing a map to cuDNN");
    }
};

constexpr float kOne = 1, kZero = 0;

/// Maps of so many places, from channels last to channels first, or back.
std::vector<float> turned(const std::vector<float>& from, std::size_t channels, std::size_t places, bool to_first) {
    std::vector<float> to(from.size());
    const std::size_t size = channels * places;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::size_t image = i / size * size, within = i % size;
        const std::size_t place = within / channels, c = within % channels;
        const std::size_t last = image + within, first = image + c * places + place;
        to[to_first ? first : last] = from[to_first ? last : first];
    }
    return to;
}

/// A tensor in device memory, sent there.
DeviceArray<float> sent(const std::vector<float>& from) {
    DeviceArray<float> to(from.size());
    hogwild::check(cudaMemcpy(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice), "sending a stage's arrays");
    return to;
}

std::vector<float> fetched(const DeviceArray<float>& from) {
    std::vector<float> to(from.size());
    hogwild::check(cudaMemcpy(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost),
                   "a copy of a stage's arrays");
    return to;
}

class CudnnStage final : public GpuConvPoolStage {
public:
    CudnnStage(const ConvPoolInput& input, bool tf32)
        : GpuConvPoolStage(input, kSlots),
          tf32_(tf32),
          last_(CUDNN_TENSOR_NHWC, shape().images, shape().channels, shape().height, shape().width),
          image_(CUDNN_TENSOR_NCHW, shape().images, shape().channels, shape().height, shape().width),
          map_(CUDNN_TENSOR_NCHW, shape().images, shape().filters, shape().map_height(), shape().map_width()),
          pooled_(CUDNN_TENSOR_NCHW, shape().images, shape().filters, shape().pooled_height(), shape().pooled_width()),
          bias_(CUDNN_TENSOR_NCHW, 1, shape().filters, 1, 1),
          weight_(CUDNN_TENSOR_NCHW, shape().filters, shape().channels, shape().kernel, shape().kernel),
          loaded_(batch(shape().image_size())),
          images_(batch(shape().image_size())),
          image_slopes_(batch(shape().image_size())),
          maps_(batch(shape().map_size())),
          map_slopes_(batch(shape().map_size())),
          pooled_maps_(batch(shape().pooled_size())),
          pooled_slopes_(sent(turned({input.pooled_slopes, input.pooled_slopes + batch(shape().pooled_size())},
                                     shape().filters, shape().pooled_height() * shape().pooled_width(), true))),
          weights_(sent(by_filter(input.weights))),
          biases_(sent(std::vector<float>(input.weights.end() - shape().filters, input.weights.end()))),
          gradient_(weights_.size()),
          bias_gradient_(biases_.size()) {
        const auto side = static_cast<int>(shape().kernel), border = static_cast<int>(shape().padding);
        const auto window = static_cast<int>(shape().pool);
        const cudnnMathType_t math = tf32 ? CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION : CUDNN_FMA_MATH;
        check(cudnnSetStream(cudnn_, stream().get()), "giving cuDNN a stream");
        check(cudnnSetFilter4dDescriptor(filter_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW,
                                         static_cast<int>(shape().filters), static_cast<int>(shape().channels), side,
                                         side),
              "describing filters to cuDNN");
        check(cudnnSetConvolution2dDescriptor(convolution_, border, border, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                              CUDNN_DATA_FLOAT),
              "describing a convolution to cuDNN");
        check(cudnnSetConvolutionMathType(convolution_, math), "choosing cuDNN's arithmetic");
        check(cudnnSetPooling2dDescriptor(pooling_, CUDNN_POOLING_MAX_DETERMINISTIC, CUDNN_PROPAGATE_NAN, window,
                                          window, 0, 0, window, window),
              "describing a pooling to cuDNN");
        check(cudnnSetActivationDescriptor(relu_, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0),
              "describing an activation to cuDNN");
        choose();
    }

    std::string_view name() const override { return tf32_ ? "cudnn-tf32" : "cudnn"; }
    std::string_view says() const override {
        return tf32_ ? "cuDNN's calls with products on tensor cores, whose factors have 10 bits"
                     : "cuDNN's calls, in single precision";
    }

    std::vector<float> weights() const override {
        stream().wait();
        std::vector<float> rows(shape().weights());
        const std::vector<float> weights = fetched(weights_), biases = fetched(biases_);
        for_each_weight([&](std::size_t row, std::size_t filter) { rows[row] = weights[filter]; });
        std::ranges::copy(biases, rows.end() - shape().filters);
        return rows;
    }
    std::vector<float> pooled() const override {
        stream().wait();
        return turned(fetched(pooled_maps_), shape().filters, shape().pooled_height() * shape().pooled_width(), false);
    }
    std::vector<float> input_slopes() const override {
        if (!shape().input_slopes) return {};
        stream().wait();
        return turned(fetched(image_slopes_), shape().channels, shape().height * shape().width, false);
    }

    std::uint64_t bytes_moved() const override {
        const ConvPoolShape& s = shape();
        const std::uint64_t back = s.map_size() * (s.input_slopes ? 7 : 6) + (s.input_slopes ? s.image_size() : 0);
        const std::uint64_t floats = s.image_size() * 5 + s.map_size() * 2 + s.pooled_size() * 3 + back;
        return batch(floats * sizeof(float) + s.image_size()) + s.weights() * 5 * sizeof(float);
    }

protected:
    bool copies_beside() const override { return true; }
    bool captures() const override { return true; }

    void launch(const ConvPoolArrays& given, Marks& marks) override {
        ConvPoolArrays arrays = given;
        arrays.images = loaded_.data();
        ConvPool borderless = layers();
        borderless.in = arrays.image;
        hogwild::check(unfused::launch_load(borderless, arrays, stream().get()), "loading images");
        check(cudnnTransformTensor(cudnn_, &kOne, last_, loaded_.data(), &kZero, image_, images_.data()), "cuDNN");
        marks.end_of(&ConvPoolParts::load);
        forward();
        marks.end_of(&ConvPoolParts::convolution);
        check(cudnnPoolingForward(cudnn_, pooling_, &kOne, map_, maps_.data(), &kZero, pooled_, pooled_maps_.data()),
              "cuDNN's pooling");
        marks.end_of(&ConvPoolParts::pooling);
        check(cudnnPoolingBackward(cudnn_, pooling_, &kOne, pooled_, pooled_maps_.data(), pooled_,
                                   pooled_slopes_.data(), map_, maps_.data(), &kZero, map_, map_slopes_.data()),
              "cuDNN's pooling back");
        check(cudnnActivationBackward(cudnn_, relu_, &kOne, map_, maps_.data(), map_, map_slopes_.data(), map_,
                                      maps_.data(), &kZero, map_, map_slopes_.data()),
              "cuDNN's activation back");
        if (shape().input_slopes) {
            check(cudnnConvolutionBackwardData(cudnn_, &kOne, filter_, weights_.data(), map_, map_slopes_.data(),
                                               convolution_, data_algorithm_, room_.data(), room_.bytes(), &kZero,
                                               image_, image_slopes_.data()),
                  "cuDNN's slopes");
        }
        check(cudnnConvolutionBackwardFilter(cudnn_, &kOne, image_, images_.data(), map_, map_slopes_.data(),
                                             convolution_, filter_algorithm_, room_.data(), room_.bytes(), &kZero,
                                             filter_, gradient_.data()),
              "cuDNN's gradient");
        check(
            cudnnConvolutionBackwardBias(cudnn_, &kOne, map_, map_slopes_.data(), &kZero, bias_, bias_gradient_.data()),
            "cuDNN's gradient");
        marks.end_of(&ConvPoolParts::backward);
        check(cudnnAddTensor(cudnn_, &arrays.factor, weight_, gradient_.data(), &kOne, weight_, weights_.data()),
              "cuDNN's update");
        check(cudnnAddTensor(cudnn_, &arrays.factor, bias_, bias_gradient_.data(), &kOne, bias_, biases_.data()),
              "cuDNN's update");
        marks.end_of(&ConvPoolParts::update);
    }

private:
    static constexpr std::size_t kSlots = 8;

    /// visit(place among rows by place and channel, place among filters by channel and place) of every weight.
    void for_each_weight(const auto& visit) const {
        const std::size_t places = shape().kernel * shape().kernel, channels = shape().channels;
        const std::size_t filters = shape().filters;
        for (std::size_t f = 0; f < filters; ++f) {
            for (std::size_t c = 0; c < channels; ++c) {
                for (std::size_t k = 0; k < places; ++k)
                    visit((k * channels + c) * filters + f, (f * channels + c) * places + k);
            }
        }
    }

    std::vector<float> by_filter(std::span<const float> rows) const {
        std::vector<float> to(std::size_t{shape().depth()} * shape().filters);
        for_each_weight([&](std::size_t row, std::size_t filter) { to[filter] = rows[row]; });
        return to;
    }

    void forward() {
        if (one_call_) {
            check(cudnnConvolutionBiasActivationForward(cudnn_, &kOne, image_, images_.data(), filter_, weights_.data(),
                                                        convolution_, kFusedAlgorithm, room_.data(), room_.bytes(),
                                                        &kZero, map_, maps_.data(), bias_, biases_.data(), relu_, map_,
                                                        maps_.data()),
                  "cuDNN's convolution");
            return;
        }
        check(cudnnConvolutionForward(cudnn_, &kOne, image_, images_.data(), filter_, weights_.data(), convolution_,
                                      algorithm_, room_.data(), room_.bytes(), &kZero, map_, maps_.data()),
              "cuDNN's convolution");
        check(cudnnAddTensor(cudnn_, &kOne, bias_, biases_.data(), &kOne, map_, maps_.data()), "cuDNN's biases");
        check(cudnnActivationForward(cudnn_, relu_, &kOne, map_, maps_.data(), &kZero, map_, maps_.data()),
              "cuDNN's activation");
    }

    /// Measures cuDNN's algorithms, and convolution, biases and activation as one call against three.
    void choose() {
        constexpr std::size_t kRoom = std::size_t{64} << 20;
        constexpr int kMost = 8;
        room_ = DeviceArray<std::uint8_t>(kRoom);
        const cudnnMathType_t math = tf32_ ? CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION : CUDNN_FMA_MATH;
        const auto fits = [&](const auto& each) {
            return each.status == CUDNN_STATUS_SUCCESS && each.memory <= kRoom && (tf32_ || each.mathType == math);
        };
        int found = 0;
        std::array<cudnnConvolutionFwdAlgoPerf_t, kMost> forwards{};
        check(cudnnFindConvolutionForwardAlgorithm(cudnn_, image_, filter_, convolution_, map_, kMost, &found,
                                                   forwards.data()),
              "cuDNN's choice");
        algorithm_ = std::find_if(forwards.begin(), forwards.begin() + found, fits)->algo;
        std::array<cudnnConvolutionBwdFilterAlgoPerf_t, kMost> gradients{};
        check(cudnnFindConvolutionBackwardFilterAlgorithm(cudnn_, image_, map_, convolution_, filter_, kMost, &found,
                                                          gradients.data()),
              "cuDNN's choice");
        filter_algorithm_ = std::find_if(gradients.begin(), gradients.begin() + found, fits)->algo;
        std::array<cudnnConvolutionBwdDataAlgoPerf_t, kMost> slopes{};
        check(cudnnFindConvolutionBackwardDataAlgorithm(cudnn_, filter_, map_, convolution_, image_, kMost, &found,
                                                        slopes.data()),
              "cuDNN's choice");
        data_algorithm_ = std::find_if(slopes.begin(), slopes.begin() + found, fits)->algo;
        double seconds[2];
        for (const bool one : {false, true}) {
            one_call_ = one;
            forward();
            const Event begin, end;
            begin.record(stream());
            for (int i = 0; i < 20; ++i) forward();
            end.record(stream());
            end.wait();
            seconds[one ? 1 : 0] = end.seconds_since(begin);
        }
        one_call_ = seconds[1] < seconds[0];
    }

    static constexpr cudnnConvolutionFwdAlgo_t kFusedAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;

    bool tf32_;
    Handle cudnn_;
    Filter filter_;
    Convolution convolution_;
    Pooling pooling_;
    ActivationOf relu_;
    Tensor last_, image_, map_, pooled_, bias_, weight_;
    DeviceArray<float> loaded_, images_, image_slopes_, maps_, map_slopes_, pooled_maps_, pooled_slopes_, weights_,
        biases_, gradient_, bias_gradient_;
    DeviceArray<std::uint8_t> room_;
    cudnnConvolutionFwdAlgo_t algorithm_{};
    cudnnConvolutionBwdFilterAlgo_t filter_algorithm_{};
    cudnnConvolutionBwdDataAlgo_t data_algorithm_{};
    bool one_call_ = false;
};

} // namespace

std::unique_ptr<ConvPoolStage> cudnn_stage(const ConvPoolInput& input, bool tf32) {
    return std::make_unique<CudnnStage>(input, tf32);
}

} // namespace hogwild
