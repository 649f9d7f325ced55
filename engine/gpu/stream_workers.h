// The GPU workers of a run: CUDA streams on one device. Only in builds with CUDA.
//
// The samples lie in device memory, and so do the step sizes and scales of the run. A stretch of positions is one
// launch (kernels/cuda/step_through.cuh), by the kernel for dense rows where every row holds every column. On networks
// it may be launches of captured graphs, a step each (engine/gpu/batches/network_graph.h), or of teams with replicas
// (kernels/cuda/network/team_replica.cuh). A stream has some stretches under way, so that the device need not wait for
// the host. Their samples are not many, so that what was claimed is soon stepped on. The driving thread spins where
// there is a core for it, and sleeps where it would take one from a CPU thread.
// Beside CPU threads on one buffer, device and host tell each other across the link how many samples they have
// consumed. They do so every few hundred samples and every few microseconds. With a replica, the bridge knows what
// either side holds.
// A snapshot is a copy into device memory, of the array that the streams step on, behind the stretch that made it due.
// All workers go on, so it holds what they had added by then, and how many samples that was.
#pragma once

#include "engine/gpu/batches/network_graph.h"
#include "engine/gpu/bridge.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/memory/hot_memory.h"
#include "engine/gpu/memory/optimizer_memory.h"
#include "engine/gpu/memory/snapshot_copies.h"
#include "engine/gpu/on_resident_samples.h"
#include "engine/gpu/stream.h"
#include "engine/schemes/two_devices/gpu_side.h"
#include "kernels/cuda/device_kernels.h"

#include <memory>
#include <vector>

namespace hogwild {

class StreamWorkers : public OnResidentSamples<GpuWorkers> {
public:
    StreamWorkers(const Plan& plan, const AnyView& data, ParameterBuffer& buffer, const ParameterBuffer* shadow,
                  std::uint64_t snapshots);

    void start(const Recorder& recorder) override;
    std::span<PublishedCount> threads() const override { return {lines_.data() + 2, lines_.size() - 2}; }
    void rehearse(unsigned stream) override;
    void prepare(const Timeline& timeline, std::uint32_t epoch) override;
    void step(unsigned stream, const Stint& stint) override;
    std::uint64_t consumed(unsigned stream) const override { return streams_[stream].finished; }
    std::uint64_t steps(unsigned stream) const override { return streams_[stream].steps; }
    std::uint64_t said() const override;
    void copy(Snapshot* to) override { copies_.copy_now(to); }
    void finish(unsigned stream) override;
    void exchange() override;
    void exchange_rest() override;
    void rescale(float factor) override;
    void settle(const std::function<double(std::uint64_t)>& scale_at) override;
    GpuShare share() const override { return share_; }

private:
    static constexpr unsigned kUnderWay = 8; // at most

    struct Launch {
        explicit Launch(bool sleeps) : done(sleeps) {}

        Milestone done;
        std::uint64_t samples = 0;
        std::uint64_t steps = 0; // teams'
    };

    struct WorkingStream {
        Stream stream;
        std::vector<Launch> launches; // kUnderWay, used in turn
        std::uint64_t given = 0;      // launches
        std::uint64_t done = 0;       // the first of them
        std::uint64_t under_way = 0;  // samples of the others
        std::uint64_t finished = 0;   // samples
        std::uint64_t steps = 0;      // that took these
        std::uint32_t claimed = 0;    // by the launches given
    };

    /// Samples of threads whose increments a replica's copy holds.
    PublishedCount* delivered() const { return lines_.data() + 1; }

    HostCounts host_counts(const Plan& plan) const;
    ProgressCounts progress_counts(const Plan& plan) const;
    void note_sharing(const Plan& plan);
    void add_bridges(const Plan& plan, const ParameterBuffer& buffer, const ParameterBuffer* shadow);
    static void complete_one(WorkingStream& working);
    void lend(unsigned stream, DevicePass& pass) const;
    void launch(unsigned stream, DevicePass& pass, std::uint32_t count, std::uint32_t batch);

    std::uint32_t columns_;
    StoredWeights weights_; // what streams step on
    LaunchShape shape_;
    DeviceKernels::Steps steps_;
    std::uint32_t abreast_; // samples that a warp steps on at a time
    TeamLayout layout_{};   // of each launch; of no teams where steps are warps', of one where they are graphs'
    DeviceArray<float> team_memory_;
    DeviceArray<unsigned long long> team_samples_; // of each stream's teams
    OptimizerMemory optimizer_;                    // of teams
    HotMemory hot_;
    std::vector<WorkingStream> streams_;
    std::vector<std::unique_ptr<NetworkGraph>> graphs_; // one for each stream where steps are graphs'
    DevicePass pass_;                                   // what all launches share
    DeviceArray<Pace> paces_;
    DeviceArray<std::uint32_t> claims_; // one for each stream

    DeviceArray<unsigned long long> counters_; // enum Counter
    DeviceArray<unsigned long long> buckets_;
    DeviceArray<LayerCounts> layers_;   // where a network's layers are watched
    PinnedArray<PublishedCount> lines_; // consumed: what the device said, delivered, then by each CPU thread

    SnapshotCopies copies_;
    std::vector<std::unique_ptr<Bridge>> bridges_; // of the weights, of the shadow
    std::uint64_t rounds_before_ = 0;              // off the clock

    GpuShare share_;
};

} // namespace hogwild
