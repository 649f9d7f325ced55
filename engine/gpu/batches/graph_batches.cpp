#include "engine/gpu/batches/graph_batches.h"

#include "engine/machine/profiler_range.h"
#include "engine/plan/plan.h"
#include "kernels/cuda/memory/vector.h"

#include <algorithm>
#include <numeric>

namespace hogwild {

GraphBatches::GraphBatches(const Plan& plan, const AnyView& data, const ParameterBuffer& buffer,
                           std::uint64_t snapshots)
    : OnResidentSamples(plan, data),
      rows_(data.rows()),
      coordinates_(static_cast<std::uint32_t>(buffer.size())),
      size_(static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.batch.size, rows_))),
      per_epoch_(static_cast<std::uint32_t>((rows_ + size_ - 1) / size_)),
      numbers_(per_epoch_),
      staged_(per_epoch_),
      paces_(per_epoch_),
      weights_(buffer.on_device()),
      copies_(snapshots, buffer.stored(), buffer.size(), {}, 0) {
    std::iota(numbers_.data(), numbers_.data() + per_epoch_, 0u);
    BatchFrame frame;
    frame.size = size_;
    frame.base = base_.data();
    frame.paces = paces_.data();
    frame.weights = weights_;
    steps_ = make_batch_steps(plan, data, resident(), frame, stream_);
    stream_.wait();
}

void GraphBatches::begin_epoch(std::span<const BatchPace> paces) {
    stream_.wait(); // the staging area is free, and so is what the device reads
    std::ranges::copy(paces, staged_.data());
    check(cudaMemcpyAsync(paces_.data(), staged_.data(), paces.size_bytes(), cudaMemcpyHostToDevice, stream_.get()),
          "sending step sizes");
    steps_->begin_epoch(epoch_++);
}

const CapturedGraph& GraphBatches::graph_of(std::uint32_t count) {
    const auto known = graphs_.find(count);
    if (known != graphs_.end()) return known->second;
    return graphs_[count] = CapturedGraph(stream_, [&] {
               for (std::uint32_t i = 0; i < count; ++i) steps_->launch(i);
           });
}

void GraphBatches::prepare(std::uint32_t count) {
    graph_of(count).send(stream_);
    stream_.wait();
}

void GraphBatches::start(const Recorder& recorder) {
    rescale(1.0f); // which changes nothing: its code reaches the device when it is first launched
    copies_.start(recorder, stream_);
}

void GraphBatches::step(std::uint32_t first, std::uint32_t count, Snapshot* copy) {
    const ProfilerRange range("batches");
    const Event& slot = done_[launches_ % kUnderWay];
    if (launches_ >= kUnderWay) slot.wait();
    check(cudaMemcpyAsync(base_.data(), numbers_.data() + first, sizeof(first), cudaMemcpyHostToDevice, stream_.get()),
          "sending a batch's number");
    graph_of(count).launch(stream_);
    if (copy != nullptr) copies_.copy(stream_, copy);
    slot.record(stream_);
    ++launches_;
    updates_ += std::min<std::uint64_t>(std::uint64_t{count} * size_, rows_ - std::uint64_t{first} * size_);
}

void GraphBatches::rescale(float factor) {
    check(scale_on_device(weights_, coordinates_, factor, stream_.get()), "rescaling the weights");
}

void GraphBatches::settle(const std::function<double(std::uint64_t)>& scale_at) {
    check(cudaDeviceSynchronize(), "the GPU's batches");
    copies_.fetch(scale_at);
    share_.updates = updates_;
}

std::unique_ptr<GpuBatches> make_gpu_batches(const Plan& plan, const AnyView& data, const ParameterBuffer& buffer,
                                             std::uint64_t snapshots) {
    return std::make_unique<GraphBatches>(plan, data, buffer, snapshots);
}

} // namespace hogwild
