// Synchronous minibatch SGD on one GPU: a captured graph of steps (engine/gpu/batches/batch_steps.h), launched again and again. Only
// in builds with CUDA.
//
// The step size and scale of every batch of an epoch are sent ahead of it, and its order is tabled on the device. A graph of k
// steps serves any k batches in a row: the first one's number is sent ahead of it. Graphs are captured once for each k that
// is asked for.
#pragma once

#include "engine/gpu/batches/batch_steps.h"
#include "engine/gpu/batches/captured_graph.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/memory/snapshot_copies.h"
#include "engine/gpu/on_resident_samples.h"
#include "engine/gpu/stream.h"
#include "engine/schemes/two_devices/gpu_side.h"
#include "kernels/cuda/batches/batches.h"

#include <array>
#include <map>
#include <memory>

namespace hogwild {

class GraphBatches : public OnResidentSamples<GpuBatches> {
public:
    GraphBatches(const Plan& plan, const AnyView& data, const ParameterBuffer& buffer, std::uint64_t snapshots);

    void start(const Recorder& recorder) override;
    void prepare(std::uint32_t count) override;
    void begin_epoch(std::span<const BatchPace> paces) override;
    void step(std::uint32_t first, std::uint32_t count, Snapshot* copy) override;
    void finish() override { stream_.wait(); }
    void rescale(float factor) override;
    void settle(const std::function<double(std::uint64_t)>& scale_at) override;
    GpuShare share() const override { return share_; }

private:
    static constexpr unsigned kUnderWay = 4; // launches of graphs; more would only delay an interrupt

    const CapturedGraph& graph_of(std::uint32_t count);

    std::uint64_t rows_;
    std::uint32_t coordinates_;
    std::uint32_t size_;
    std::uint32_t per_epoch_;
    PinnedArray<std::uint32_t> numbers_; // 0 .. per_epoch_ - 1
    DeviceArray<std::uint32_t> base_{1};
    PinnedArray<BatchPace> staged_;
    DeviceArray<BatchPace> paces_;
    float* weights_;
    Stream stream_;
    std::unique_ptr<BatchSteps> steps_;
    std::array<Milestone, kUnderWay> done_;
    std::uint64_t launches_ = 0;
    std::uint32_t epoch_ = 0; // the next
    std::map<std::uint32_t, CapturedGraph> graphs_;
    SnapshotCopies copies_;
    std::uint64_t updates_ = 0;
    GpuShare share_;
};

} // namespace hogwild
