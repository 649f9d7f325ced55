#include "engine/gpu/stages/conv_pool_stage.h"

#include "engine/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace hogwild {
namespace {

template <class T>
void send(const DeviceArray<T>& to, const T* from) {
    check(cudaMemcpy(to.data(), from, to.bytes(), cudaMemcpyHostToDevice), "sending a stage's arrays");
}

template <class T>
std::vector<T> fetch(const DeviceArray<T>& from) {
    std::vector<T> to(from.size());
    check(cudaMemcpy(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost), "a copy of a stage's arrays");
    return to;
}

} // namespace

ConvPool conv_pool_of(const ConvPoolShape& shape) {
    NetworkShape network;
    network.count = 2;
    Layer& convolution = network.layers[0];
    convolution.kind = LayerKind::kConvolution;
    convolution.activation = Activation::kRelu;
    convolution.in = {shape.padded_height(), shape.padded_width(), shape.channels};
    convolution.out = {shape.map_height(), shape.map_width(), shape.filters};
    convolution.kernel = shape.kernel;
    Layer& pooling = network.layers[1];
    pooling.kind = LayerKind::kMaxPool;
    pooling.in = convolution.out;
    pooling.out = {shape.pooled_height(), shape.pooled_width(), shape.filters};
    pooling.kernel = pooling.stride = shape.pool;
    const ConvPool pair(convolution, pooling);
    if (!is_conv_pool(network, 0) || !conv_pool_fits(pair)) {
        throw Error(Failure::kUsage,
                    fmt::format("no GPU stage for {} filters of {} x {}, pooled by {}", shape.filters, shape.kernel,
                                shape.kernel, shape.pool),
                    "there is code for 3 x 3 and 5 x 5 pooled by 2, of maps that fit a multiprocessor's memory",
                    "use the CPU's stages");
    }
    return pair;
}

GpuConvPoolStage::GpuConvPoolStage(const ConvPoolInput& input, std::size_t slots)
    : shape_(input.shape),
      layers_(conv_pool_of(input.shape)),
      dataset_(std::size_t{input.dataset_images} * input.shape.image_size()),
      winners_(batch(input.shape.pooled_size())),
      weights_(input.shape.weights()),
      pooled_(batch(input.shape.pooled_size())),
      pooled_slopes_(batch(input.shape.pooled_size())),
      input_slopes_(input.shape.input_slopes ? batch(input.shape.image_size()) : 0) {
    send(dataset_, input.dataset);
    send(weights_, input.weights.data());
    send(pooled_slopes_, input.pooled_slopes);
    for (std::size_t s = 0; s < slots; ++s) {
        slots_.emplace_back(shape_.images,
                            std::size_t{conv_pool_parts(layers_, shape_.images)} * input.shape.weights());
    }
    arrays_.dataset = dataset_.data();
    arrays_.count = shape_.images;
    arrays_.image = {shape_.height, shape_.width, shape_.channels};
    arrays_.weights = weights_.data();
    arrays_.pooled = pooled_.data();
    arrays_.winners = winners_.data();
    arrays_.pooled_slopes = pooled_slopes_.data();
    arrays_.image_slopes = input_slopes_.data();
    check(cudaDeviceSynchronize(), "sending a stage's arrays");
}

void GpuConvPoolStage::step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) {
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    if (slot.used) slot.done.wait();
    std::copy_n(samples, shape_.images, slot.staged.data());
    if (slot.factor != -step_size) slot.graph = {};
    slot.factor = -step_size;
    if (captures() && parts == nullptr) {
        if (slot.graph.empty()) {
            slot.graph = CapturedGraph(stream_, [&] {
                Marks none(stream_, nullptr);
                enqueue(slot, none);
            });
        }
        slot.graph.launch(stream_);
    } else {
        Marks marks(stream_, parts);
        enqueue(slot, marks);
        marks.add();
    }
    slot.done.record(stream_);
    slot.used = true;
}

void GpuConvPoolStage::enqueue(Slot& slot, Marks& marks) {
    if (copies_beside()) {
        check(cudaMemcpyAsync(slot.samples.data(), slot.staged.data(), slot.samples.bytes(), cudaMemcpyHostToDevice,
                              stream_.get()),
              "sending samples");
    } else {
        stream_.wait();
        check(cudaMemcpy(slot.samples.data(), slot.staged.data(), slot.samples.bytes(), cudaMemcpyHostToDevice),
              "sending samples");
    }
    marks.end_of(&ConvPoolParts::copies);
    ConvPoolArrays arrays = arrays_;
    arrays.samples = slot.samples.data();
    arrays.parts = slot.parts.data();
    arrays.factor = slot.factor;
    launch(arrays, marks);
}

void GpuConvPoolStage::Marks::mark(double ConvPoolParts::*part) {
    if (parts_ == nullptr) return;
    marks_.push_back({part, Event()});
    marks_.back().event.record(stream_);
}

void GpuConvPoolStage::Marks::add() const {
    if (parts_ == nullptr) return;
    marks_.back().event.wait();
    for (std::size_t m = 1; m < marks_.size(); ++m)
        parts_->*marks_[m].part += marks_[m].event.seconds_since(marks_[m - 1].event);
}

std::vector<float> GpuConvPoolStage::weights() const {
    stream_.wait();
    return fetch(weights_);
}

std::vector<float> GpuConvPoolStage::pooled() const {
    stream_.wait();
    return fetch(pooled_);
}

std::vector<float> GpuConvPoolStage::input_slopes() const {
    stream_.wait();
    return fetch(input_slopes_);
}

} // namespace hogwild
