#include "engine/gpu/stream_workers.h"

#include "engine/data/placement.h"
#include "engine/order.h"
#include "engine/record/staleness.h"
#include "kernels/cuda/scope.h"
#include "kernels/cuda/vector.h"
#include "kernels/histogram.h"
#include "kernels/sparse_kernels.h"

#include <algorithm>

namespace hogwild {
namespace {

enum Counter : std::size_t { kConsumed, kClock, kIssued, kSum, kMost, kCounters };

std::size_t probe_of(const Plan& plan) { return catalog::find<Probes>(plan.telemetry); }

DeviceKernels::Steps steps_of(const Plan& plan) {
    const Scope scope = is_one_buffer(parse_memory(plan.memory)) ? Scope::kSystem : Scope::kDevice;
    return with_problem(plan.problem, [&]<class Problem>(Problem) {
        return device_kernels<Problem>()
            .steps[catalog::find<Updates>(plan.update)][static_cast<std::size_t>(scope)][probe_of(plan)];
    });
}

/// Copies of some coordinates spare dense rows nothing: every row reaches for the others all the same. Of all of them they do.
std::uint32_t copied(const Plan& plan, const SparseView& data) {
    if (plan.hot >= data.columns) return data.columns;
    return data.dense() ? 0 : plan.hot;
}

std::uint64_t cells_of(const SparseView& data) { return (data.rows + Timeline::kCell - 1) / Timeline::kCell; }

template <class T>
void clear(const DeviceArray<T>& array) {
    check(cudaMemset(array.data(), 0, array.bytes()), "clearing device memory");
}

} // namespace

StreamWorkers::StreamWorkers(const Plan& plan, const SparseView& data, const ParameterBuffer& buffer,
                             const ParameterBuffer* shadow, std::uint64_t snapshots)
    : samples_(plan.problem, data),
      weights_(buffer.on_device()),
      shape_{plan.blocks, kWarpsPerBlock},
      steps_(steps_of(plan)),
      lanes_(plan.streams),
      paces_(cells_of(data) * plan.epochs),
      claims_(plan.streams),
      counters_(kCounters),
      buckets_(Histogram::kBuckets),
      copies_(snapshots, weights_, buffer.size(), counters_.data() + kConsumed) {
    note_sharing(plan, buffer.kind());
    clear(claims_);
    clear(counters_);
    clear(buckets_);
    check(cudaDeviceSynchronize(), "clearing device memory");
    for (Lane& lane : lanes_) {
        for (unsigned k = 0; k < kUnderWay; ++k) lane.launches.emplace_back(cpu_workers(plan) > 0);
    }
    pass_.data = samples_.view();
    pass_.dense = data.dense();
    pass_.order = sample_order(plan.order, data, plan.seed);
    pass_.clock.paces = paces_.data();
    pass_.clock.rows = pass_.order.rows;
    pass_.clock.cells = static_cast<std::uint32_t>(cells_of(data));
    pass_.clock.workers = plan.streams * shape_.blocks * shape_.warps;
    pass_.clock.consumed = counters_.data() + kConsumed;
    pass_.weights = weights_;
    pass_.exchange.hot = copied(plan, data);
    pass_.exchange.rule = static_cast<float>(plan.hot_rule);
    if (pass_.exchange.hot > 0) pass_.exchange.shift = hot_shift(plan.placement, data.columns, pass_.exchange.hot);
    pass_.telemetry = {counters_.data() + kClock,  buckets_.data(),
                       counters_.data() + kSum,    counters_.data() + kMost,
                       counters_.data() + kIssued, shadow != nullptr ? shadow->on_device() : nullptr};
    if (bridges(plan) > 0) add_bridges(plan, buffer, shadow);
    rehearse();
}

void StreamWorkers::add_bridges(const Plan& plan, const ParameterBuffer& buffer, const ParameterBuffer* shadow) {
    const bool atomic = plan.update != Racy::name && cpu_workers(plan) > 0; // alone, the bridge overwrites nobody
    const auto add = [&](const ParameterBuffer& both, double rule) {
        bridges_.push_back(
            std::make_unique<Bridge>(both.data(), both.on_device(), both.size(), static_cast<float>(rule), atomic));
    };
    add(buffer, plan.bridge_rule);
    if (shadow != nullptr) add(*shadow, 1.0); // counts are summed, whatever becomes of the weights
}

/// What a run does first, once off the clock on no samples: code reaches a device when it is first launched.
void StreamWorkers::rehearse() {
    for (unsigned stream = 0; stream < lanes_.size(); ++stream) {
        DevicePass pass = pass_;
        launch(stream, pass, 0);
        lanes_[stream].stream.wait();
    }
    exchange();
}

void StreamWorkers::note_sharing(const Plan& plan, MemoryKind memory) {
    share_.shares_cells = plan.device == "both" && is_one_buffer(memory);
    if (!share_.shares_cells) return;
    const auto has = [](cudaDeviceAttr attribute) {
        int gpu = 0, value = 0;
        check(cudaGetDevice(&gpu), "asking for the current GPU");
        check(cudaDeviceGetAttribute(&value, attribute, gpu), "asking the GPU what it can");
        return value != 0;
    };
    const bool managed = memory != MemoryKind::kMapped;
    share_.cells_are_atomic = has(managed ? cudaDevAttrConcurrentManagedAccess : cudaDevAttrHostNativeAtomicSupported);
    if (managed && !share_.cells_are_atomic) {
        throw Error(Failure::kMissing, "--device both cannot run on " + plan.memory + " memory",
                    "CPU threads may not touch managed memory while this GPU works", "use --memory mapped or replica");
    }
}

void StreamWorkers::start(const Recorder& recorder) { copies_.start(recorder, lanes_[0].stream); }

void StreamWorkers::complete(Lane& lane, Launch& launch) {
    if (launch.samples == 0) return;
    launch.done.wait();
    lane.finished += launch.samples;
    launch.samples = 0;
}

void StreamWorkers::prepare(const Timeline& timeline, std::uint32_t epoch) {
    std::vector<Pace> paces(timeline.cells());
    timeline.paces(epoch, paces.data());
    upload(paces_.data() + epoch * paces.size(), paces.data(), paces.size() * sizeof(Pace));
}

/// The first `count` positions from pass.first on.
void StreamWorkers::launch(unsigned stream, DevicePass& pass, std::uint32_t count) {
    Lane& lane = lanes_[stream];
    const std::uint32_t warps = shape_.blocks * shape_.warps;
    pass.shares = Shares(count, warps);
    pass.claimed = claims_.data() + stream;
    pass.claimed_before = lane.claimed;
    check(steps_(pass, shape_, lane.stream.get()), "launching steps");
    lane.claimed += pass.shares.size() + warps;
}

void StreamWorkers::step(unsigned stream, const Stint& stint) {
    Lane& lane = lanes_[stream];
    Launch& next = lane.launches[lane.given++ % kUnderWay];
    complete(lane, next);
    DevicePass pass = pass_;
    pass.epoch = stint.positions.epoch;
    pass.first = stint.positions.first;
    pass.clock.others = stint.others;
    pass.clock.last = stint.end - 1;
    launch(stream, pass, stint.positions.count);
    if (stint.copy != nullptr) copies_.copy_beside(lane.stream, stint.copy);
    next.done.record(lane.stream);
    next.samples = stint.positions.count;
}

void StreamWorkers::finish(unsigned stream) {
    Lane& lane = lanes_[stream];
    for (unsigned k = 0; k < kUnderWay; ++k) complete(lane, lane.launches[(lane.given + k) % kUnderWay]);
    copies_.wait();
}

void StreamWorkers::exchange() {
    for (const auto& bridge : bridges_) bridge->exchange();
}

void StreamWorkers::rescale(std::uint32_t begin, std::uint32_t end, float factor) {
    const Stream stream;
    check(scale_on_device(weights_ + begin, end - begin, factor, stream.get()), "rescaling the weights");
    stream.wait();
}

void StreamWorkers::settle(const std::function<double(std::uint64_t)>& scale_at) {
    check(cudaDeviceSynchronize(), "the GPU's steps");
    copies_.fetch(scale_at);
    std::array<unsigned long long, kCounters> counters{};
    check(cudaMemcpy(counters.data(), counters_.data(), counters_.bytes(), cudaMemcpyDeviceToHost), "a copy");
    std::vector<std::uint64_t> buckets(Histogram::kBuckets);
    check(cudaMemcpy(buckets.data(), buckets_.data(), buckets_.bytes(), cudaMemcpyDeviceToHost), "a copy");
    share_.updates = counters[kConsumed];
    share_.increments_issued = counters[kIssued];
    share_.staleness = summary(Histogram(buckets.data(), counters[kSum], counters[kMost]));
}

std::unique_ptr<GpuWorkers> make_gpu_workers(const Plan& plan, const SparseView& data, const ParameterBuffer& buffer,
                                             const ParameterBuffer* shadow, std::uint64_t snapshots) {
    return std::make_unique<StreamWorkers>(plan, data, buffer, shadow, snapshots);
}

} // namespace hogwild
