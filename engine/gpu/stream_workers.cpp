#include "engine/gpu/stream_workers.h"

#include "engine/gpu/memory/scope_of.h"
#include "engine/machine/cores.h"
#include "engine/machine/profiler_range.h"
#include "engine/network/layer_updates.h"
#include "engine/order/order.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/sharing.h"
#include "engine/plan/derived/team_replicas.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "engine/record/staleness.h"
#include "kernels/cuda/memory/vector.h"
#include "kernels/cuda/network/network_phases.h"
#include "kernels/kernels.h"
#include "kernels/numbers/histogram.h"

#include <algorithm>
#include <memory>

namespace hogwild {
namespace {

enum Counter : std::size_t { kConsumed, kHeard, kTold, kClock, kIssued, kSum, kMost, kDropped, kCounters };

std::size_t probe_of(const Plan& plan) { return catalog::find<Probes>(plan.telemetry); }

const DeviceKernels& kernels_of(const Plan& plan) {
    return *with_problem(plan.problem, []<class Problem>(Problem) { return &device_kernels<Problem>(); });
}

/// On a replica a team steps alone, by reductions: they do not wait, as a load before a store would.
std::string_view update_of(const Plan& plan) {
    return scheme_traits(plan).exchanges() ? AtomicAdd::name : std::string_view(plan.update);
}

DeviceKernels::Steps steps_of(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    const std::size_t update = catalog::find<Updates>(update_of(plan)), probe = probe_of(plan);
    const DeviceKernels& kernels = kernels_of(plan);
    const DeviceKernels::Steps steps = storage_of(memory) == Storage::kFloat32
                                           ? kernels.steps[update][static_cast<std::size_t>(scope_of(memory))][probe]
                                           : kernels.half_steps[half_index(storage_of(memory))][update][probe];
    if (steps == nullptr) throw Error("--update " + plan.update + " has no GPU form", "nobody wrote one", "use atomic");
    return steps;
}

DeviceArray<LayerCounts> layer_counts(const Plan& plan, const AnyView& data) {
    if (!problem_traits(plan).takes_network || !has_telemetry(plan)) return {};
    return zeros<LayerCounts>(data.as<ImagesView>().network().count);
}

std::vector<StalenessSummary> summaries(const DeviceArray<LayerCounts>& layers) {
    std::vector<LayerCounts> counts(layers.size());
    check(cudaMemcpy(counts.data(), layers.data(), layers.bytes(), cudaMemcpyDeviceToHost), "a copy");
    std::vector<StalenessSummary> found;
    for (const LayerCounts& layer : counts) {
        const std::vector<std::uint64_t> buckets(std::begin(layer.buckets), std::end(layer.buckets));
        found.push_back(summary(Histogram(buckets.data(), layer.sum, layer.most)));
    }
    return found;
}

PinnedArray<PublishedCount> counts(unsigned lines) {
    PinnedArray<PublishedCount> array(lines);
    std::uninitialized_default_construct_n(array.data(), lines);
    return array;
}

/// Whether driving threads that spin would take cores from CPU threads.
bool takes_cores(const Plan& plan) {
    return cpu_workers(plan) > 0 && cpu_workers(plan) + gpu_workers(plan) + bridges(plan) > usable_cores();
}

std::uint64_t cells_of(const AnyView& data) { return (data.rows() + Timeline::kCell - 1) / Timeline::kCell; }

TeamLayout layout_of(const Plan& plan, LaunchShape shape) {
    if (steps_by_graphs(plan)) return {1, kMostParts};
    const DeviceKernels& kernels = kernels_of(plan);
    return kernels.teams == nullptr ? TeamLayout{} : kernels.teams(shape);
}

/// Memory for the teams that streams launch, if their steps are teams'.
DeviceArray<float> team_memory(const Plan& plan, const AnyView& data, const TeamLayout& layout, Teams& teams) {
    if (layout.teams == 0) return {};
    teams.most = most_gpu_batch(plan);
    teams.step_of = scales_steps(plan) ? plan.batch.size : 0;
    teams.parts = layout.squads;
    teams.copies = reads_copy(plan);
    teams.given = steps_by_graphs(plan);
    const NetworkShape& network = data.as<ImagesView>().network();
    teams.fused = fused_layers(network, teams.given);
    teams.tiles = DenseTiles(network, teams.most, layout.squads, joins_scores(teams.fused, network));
    teams.seed = plan.seed;
    teams.layers = layer_choices(plan.network.update);
    teams.replicas = replica_rule(plan, data.rows(), layout.teams * plan.gpu.streams);
    teams.floats = TeamMemory::size(data.as<ImagesView>(), teams);
    return DeviceArray<float>(teams.floats * layout.teams * plan.gpu.streams);
}

/// Counts for so many teams.
DeviceArray<unsigned long long> team_samples(std::size_t teams) {
    return teams == 0 ? DeviceArray<unsigned long long>() : zeros<unsigned long long>(teams);
}

} // namespace

StreamWorkers::StreamWorkers(const Plan& plan, const AnyView& data, ParameterBuffer& buffer,
                             const ParameterBuffer* shadow, std::uint64_t snapshots)
    : OnResidentSamples(plan, data),
      columns_(buffer.size()),
      weights_(buffer.stored()),
      shape_{plan.gpu.blocks, kWarpsPerBlock},
      steps_(steps_of(plan)),
      abreast_(kernels_of(plan).abreast(data)),
      layout_(layout_of(plan, shape_)),
      team_samples_(team_samples(layout_.teams * plan.gpu.streams)),
      optimizer_(plan, data.coordinates(), layout_.teams * plan.gpu.streams),
      hot_(plan, data),
      streams_(plan.gpu.streams),
      paces_(cells_of(data) * plan.epochs),
      claims_(zeros<std::uint32_t>(plan.gpu.streams)),
      counters_(zeros<unsigned long long>(kCounters)),
      buckets_(zeros<unsigned long long>(Histogram::kBuckets)),
      layers_(layer_counts(plan, data)),
      lines_(counts(2 + cpu_workers(plan))),
      copies_(snapshots, weights_, buffer.size(), progress_counts(plan), plan.gpu.streams) {
    note_sharing(plan);
    const bool sleep = takes_cores(plan);
    for (WorkingStream& working : streams_) {
        for (unsigned k = 0; k < kUnderWay; ++k) working.launches.emplace_back(sleep);
    }
    pass_.data = resident();
    pass_.dense = data.dense();
    pass_.order = sample_order(plan.order, data, plan.seed, true);
    pass_.clock.paces = paces_.data();
    pass_.clock.rows = pass_.order.rows;
    pass_.clock.cells = static_cast<std::uint32_t>(cells_of(data));
    pass_.clock.consumed = counters_.data() + kConsumed;
    if (cpu_workers(plan) > 0) pass_.clock.host = host_counts(plan);
    pass_.weights = weights_.at;
    team_memory_ = team_memory(plan, data, layout_, pass_.teams);
    pass_.teams.rule = staleness_rule(plan.staleness.rule);
    pass_.teams.limit = plan.staleness.limit;
    pass_.teams.dropped = counters_.data() + kDropped;
    pass_.exchange = hot_.exchange();
    pass_.telemetry = {counters_.data() + kClock,
                       buckets_.data(),
                       counters_.data() + kSum,
                       counters_.data() + kMost,
                       counters_.data() + kIssued,
                       shadow != nullptr ? shadow->on_device() : nullptr,
                       layers_.data()};
    if (bridges(plan) > 0) add_bridges(plan, buffer, shadow);
    if (!steps_by_graphs(plan)) return;
    const NetworkGraphPhase phase =
        kernels_of(plan).network_graph_phases[catalog::find<Updates>(plan.update)]
                                             [static_cast<std::size_t>(scope_of(memory_kind(plan)))][probe_of(plan)];
    for (unsigned k = 0; k < plan.gpu.streams; ++k) {
        DevicePass pass = pass_;
        lend(k, pass);
        graphs_.push_back(std::make_unique<NetworkGraph>(plan, pass, phase, streams_[k].stream));
    }
}

/// What teams of this stream have of their own.
void StreamWorkers::lend(unsigned stream, DevicePass& pass) const {
    pass.teams.memory = team_memory_.data() + stream * layout_.teams * pass.teams.floats;
    pass.teams.consumed = team_samples_.data() + stream * layout_.teams;
    pass.teams.optimizer = optimizer_.from(stream * layout_.teams);
}

/// What the weights on the device hold of threads' samples: of a replica, what was delivered.
HostCounts StreamWorkers::host_counts(const Plan& plan) const {
    static_assert(sizeof(PublishedCount) == HostCounts::kStride * sizeof(unsigned long long));
    const auto words = [](PublishedCount* lines) { return reinterpret_cast<unsigned long long*>(lines); };
    if (bridges(plan) > 0) return {words(delivered()), 1, counters_.data() + kHeard, nullptr, counters_.data() + kTold};
    return {words(threads().data()), static_cast<unsigned>(threads().size()), counters_.data() + kHeard,
            words(lines_.data()), counters_.data() + kTold};
}

ProgressCounts StreamWorkers::progress_counts(const Plan& plan) const {
    const HostCounts host = host_counts(plan);
    return {counters_.data() + kConsumed, host.threads, host.count};
}

void StreamWorkers::add_bridges(const Plan& plan, const ParameterBuffer& buffer, const ParameterBuffer* shadow) {
    const auto is_atomic = [](const UpdateTraits& policy) { return policy.atomic; };
    const bool promised = !update_traits(plan).overwrites() || !layer_policy(plan.network.update, is_atomic).empty();
    const bool atomic = promised && cpu_workers(plan) > 0; // alone, the bridge overwrites nobody
    const auto add = [&](const ParameterBuffer& both, double rule, const BridgeCounts& counts) {
        bridges_.push_back(std::make_unique<Bridge>(both.data(), both.on_device(), both.size(),
                                                    static_cast<float>(rule), atomic, counts));
    };
    add(buffer, plan.bridge.rule, {counters_.data() + kConsumed, threads(), delivered()});
    if (shadow != nullptr) add(*shadow, 1.0, {}); // counts are summed, whatever becomes of the weights
}

void StreamWorkers::rehearse(unsigned stream) {
    DevicePass pass = pass_;
    launch(stream, pass, 0, 1);
    streams_[stream].stream.wait();
}

void StreamWorkers::note_sharing(const Plan& plan) {
    const Gpu gpu = read_gpus().list.at(0);
    if (const std::string reason = why_not_on(gpu, plan); !reason.empty()) {
        throw Error(Failure::kMissing,
                    fmt::format("--device {} --memory {} cannot run", plan.device, memory_name(plan)), reason,
                    "change what it names");
    }
    const Sharing both = sharing(plan, gpu);
    share_.shares_cells = both.cells;
    share_.cells_are_atomic = both.atomic;
}

void StreamWorkers::start(const Recorder& recorder) {
    rescale(1.0f); // nothing changes: its code reaches the device when it is first launched
    copies_.start(recorder, streams_[0].stream);
    if (!bridges_.empty()) rounds_before_ = bridges_[0]->rounds();
}

void StreamWorkers::complete_one(WorkingStream& working) {
    const Launch& launch = working.launches[working.done % kUnderWay];
    launch.done.wait();
    working.finished += launch.samples;
    working.steps += launch.steps;
    working.under_way -= launch.samples;
    ++working.done;
}

void StreamWorkers::prepare(const Timeline& timeline, std::uint32_t epoch) {
    const ProfilerRange range("step sizes");
    std::vector<Pace> paces(timeline.cells());
    timeline.paces(epoch, paces.data());
    check(cudaMemcpy(paces_.data() + epoch * paces.size(), paces.data(), paces.size() * sizeof(Pace),
                     cudaMemcpyHostToDevice),
          "sending step sizes");
    check(cudaStreamSynchronize(nullptr),
          "sending step sizes"); // from pageable memory a copy may return before it is there
}

/// The first `count` positions from pass.first on; teams take batches of `batch`.
void StreamWorkers::launch(unsigned stream, DevicePass& pass, std::uint32_t count, std::uint32_t batch) {
    const ProfilerRange range("stretch");
    WorkingStream& working = streams_[stream];
    if (!graphs_.empty())
        return graphs_[stream]->launch({pass.epoch, pass.first, count, pass.clock.others, pass.clock.last});
    const bool by_teams = layout_.teams > 0;
    const std::uint32_t claimants = by_teams ? layout_.teams : shape_.blocks * shape_.warps;
    pass.pieces = by_teams ? Pieces::even(count, batch) : Pieces(count, claimants, abreast_);
    lend(stream, pass);
    const auto busy = std::clamp<std::uint32_t>(pass.pieces.size(), 1, claimants); // small stretches leave some idle
    pass.clock.warps = static_cast<std::uint32_t>(streams_.size()) * busy;
    pass.claimed = claims_.data() + stream;
    pass.claimed_before = working.claimed;
    check(steps_(pass, shape_, working.stream.get()), "launching steps");
    working.claimed += pass.pieces.size() + claimants;
}

void StreamWorkers::step(unsigned stream, const Stint& stint) {
    WorkingStream& working = streams_[stream];
    while (working.given - working.done == kUnderWay || working.under_way > stint.ahead) complete_one(working);
    DevicePass pass = pass_;
    pass.epoch = stint.positions.epoch;
    pass.first = stint.positions.first;
    pass.clock.others = bridges_.empty() ? stint.others : delivered()->value.load(std::memory_order_acquire);
    pass.clock.last = stint.end - 1;
    launch(stream, pass, stint.positions.count, stint.batch);
    Launch& given = working.launches[working.given++ % kUnderWay];
    given.done.record(working.stream);
    if (stint.copy != nullptr) copies_.copy_beside(stream, given.done, stint.copy);
    given.samples = stint.positions.count;
    given.steps = pass.pieces.size();
    working.under_way += given.samples;
}

void StreamWorkers::finish(unsigned stream) {
    WorkingStream& working = streams_[stream];
    while (working.done < working.given) complete_one(working);
    copies_.wait();
}

void StreamWorkers::exchange() {
    for (const auto& bridge : bridges_) bridge->exchange();
}

void StreamWorkers::exchange_rest() {
    for (const auto& bridge : bridges_) bridge->exchange_rest();
}

std::uint64_t StreamWorkers::said() const {
    return bridges_.empty() ? lines_.data()->value.load(std::memory_order_acquire) : bridges_[0]->held();
}

void StreamWorkers::rescale(float factor) {
    copies_.wait();
    if (!bridges_.empty()) return bridges_[0]->rescale(factor);
    if (weights_.storage != Storage::kFloat32) return; // of patterns without lazy L2, whose scale is always 1
    const Stream& stream = streams_[0].stream;
    check(scale_on_device(static_cast<float*>(weights_.at), columns_, factor, stream.get()), "rescaling the weights");
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
    if (!bridges_.empty()) share_.bridge_rounds = bridges_[0]->rounds() - rounds_before_;
    share_.increments_issued = counters[kIssued];
    share_.steps_dropped = counters[kDropped];
    share_.staleness = summary(Histogram(buckets.data(), counters[kSum], counters[kMost]));
    if (layers_.size() > 0) share_.layers = summaries(layers_);
    if (layout_.teams == 0 || !graphs_.empty()) return;
    share_.team_updates.resize(team_samples_.size());
    static_assert(sizeof(std::uint64_t) == sizeof(unsigned long long));
    check(cudaMemcpy(share_.team_updates.data(), team_samples_.data(), team_samples_.bytes(), cudaMemcpyDeviceToHost),
          "a copy");
}

std::unique_ptr<GpuWorkers> make_gpu_workers(const Plan& plan, const AnyView& data, ParameterBuffer& buffer,
                                             const ParameterBuffer* shadow, std::uint64_t snapshots) {
    return std::make_unique<StreamWorkers>(plan, data, buffer, shadow, snapshots);
}

} // namespace hogwild
