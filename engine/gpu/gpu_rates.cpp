#include "engine/measure/gpu_rates.h"

#include "engine/gpu/bridge.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/memory/scope_of.h"
#include "engine/gpu/stream.h"
#include "engine/machine/gpus.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/workers/team.h"
#include "kernels/cuda/increments.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>

namespace hogwild {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kFloats = 1u << 18;
constexpr double kAim = 0.02; // seconds of a measurement

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

template <class Work>
double timed(const Stream& stream, const Work& work) {
    const Event start, end;
    work(); // once before: pages are touched, clocks are up
    start.record(stream);
    work();
    end.record(stream);
    end.wait();
    return end.seconds_since(start);
}

LinkRates measure_link() {
    constexpr std::size_t kBytes = std::size_t{64} << 20, kSmall = 4096;
    const Stream stream;
    const PinnedArray<std::byte> host(kBytes);
    const DeviceArray<std::byte> device(kBytes), other(kBytes);
    const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
        return kBytes / timed(stream, [&] { check(cudaMemcpyAsync(to, from, kBytes, kind, stream.get()), "a copy"); });
    };
    LinkRates rates;
    rates.to_device = copy(device.data(), host.data(), cudaMemcpyHostToDevice);
    rates.from_device = copy(host.data(), device.data(), cudaMemcpyDeviceToHost);
    rates.within_device = 2 * copy(other.data(), device.data(), cudaMemcpyDeviceToDevice);
    rates.small_copy_seconds = 1;
    for (int i = 0; i < 20; ++i) {
        const Clock::time_point start = Clock::now();
        check(cudaMemcpy(device.data(), host.data(), kSmall, cudaMemcpyHostToDevice), "a copy");
        rates.small_copy_seconds = std::min(rates.small_copy_seconds, seconds_since(start));
    }
    return rates;
}

DeviceIncrements smallest(const ParameterBuffer& buffer) { return {buffer.on_device(), kFloats - 1, 1, 1, 132}; }

/// A few increments; how many.
template <class Update>
std::uint64_t increment_some(float* cells, std::uint32_t& state) {
    constexpr unsigned kSome = 64;
    const Update update;
    for (unsigned i = 0; i < kSome; ++i) {
        state = state * 1'664'525u + 1'013'904'223u;
        update.add(cells[(state >> 8) % kFloats], 1.0f);
    }
    return kSome;
}

/// Increments of one CPU thread for as long as `go_on` says; how many.
template <class Update, class GoOn>
std::uint64_t increment_while(const GoOn& go_on, float* cells, std::uint32_t seed) {
    std::uint32_t state = 2 * seed + 1;
    std::uint64_t count = 0;
    while (go_on()) count += increment_some<Update>(cells, state);
    return count;
}

/// Increments per second of the GPU alone, over launches that grow until one takes long enough to be timed.
double alone(IncrementKernel kernel, const ParameterBuffer& buffer, const Stream& stream) {
    for (DeviceIncrements launch = smallest(buffer);; launch.per_thread *= 2) {
        const double seconds = timed(stream, [&] { check(kernel(launch, stream.get()), "increments"); });
        if (seconds > kAim || launch.per_thread > (1u << 20)) return static_cast<double>(launch.total()) / seconds;
    }
}

/// Increments per second of CPU threads alone, timed as beside the GPU: by one more worker, which stops them.
template <class Update>
double cpu_alone(const ParameterBuffer& buffer, unsigned threads) {
    WorkerTeam team(threads, Pin::kCores, 1);
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> count{0};
    double seconds = 0;
    const auto going_on = [&] { return !stop.load(std::memory_order_relaxed); };
    team.run([&](unsigned worker) {
        if (worker < threads) {
            count += increment_while<Update>(going_on, buffer.data(), worker + 1);
            return;
        }
        const Clock::time_point start = Clock::now();
        while (seconds < kAim) seconds = seconds_since(start);
        stop = true;
    });
    return static_cast<double>(count.load()) / seconds;
}

/// Launches for kAim seconds, two under way, that grow until one takes a while. Where pages travel with every
/// increment, a small one does at once. Returns the increments.
std::uint64_t launch_for_a_while(IncrementKernel kernel, const ParameterBuffer& buffer, double& seconds) {
    const Stream stream;
    const Milestone done[2];
    DeviceIncrements launch = smallest(buffer);
    std::uint64_t count = 0;
    const Clock::time_point start = Clock::now();
    double before = 0;
    for (unsigned number = 0; seconds < kAim; ++number) {
        check(kernel(launch, stream.get()), "increments");
        count += launch.total();
        done[number % 2].record(stream);
        if (number > 0) done[(number - 1) % 2].wait();
        seconds = seconds_since(start);
        if (seconds - before < kAim / 40 && launch.per_thread < 1u << 16) launch.per_thread *= 2;
        before = seconds;
    }
    stream.wait();
    seconds = seconds_since(start);
    return count;
}

template <class Update>
SharedIncrements measure_increments(MemoryKind memory, unsigned threads) {
    SharedIncrements result{name_of(memory), std::string(Update::name), kFloats, 0, {}, {}, {}, {}};
    const IncrementKernel kernel =
        increment_kernels()[catalog::find<Updates>(Update::name)][static_cast<std::size_t>(scope_of(memory))];
    result.gpu_alone = alone(kernel, ParameterBuffer(kFloats, memory), Stream());
    if (!host_reaches(memory)) return result;
    result.cpu_alone = cpu_alone<Update>(ParameterBuffer(kFloats, memory), threads);

    const ParameterBuffer buffer(kFloats, memory);
    std::optional<Bridge> bridge;
    if (is_replica(memory)) {
        bridge.emplace(buffer.data(), buffer.on_device(), kFloats, 1.0f, Update::name != Racy::name);
    }
    std::uint64_t on_gpu = 0;
    WorkerTeam team(threads, Pin::kCores, 1 + bridge.has_value());
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> on_cpu{0};
    double seconds = 0;
    const auto going_on = [&] { return !stop.load(std::memory_order_relaxed); };
    team.run([&](unsigned worker) {
        if (worker < threads) {
            on_cpu += increment_while<Update>(going_on, buffer.data(), worker + 1);
        } else if (worker > threads) {
            while (going_on()) bridge->exchange();
        } else {
            const auto stopping = std::shared_ptr<void>(nullptr, [&](void*) { stop = true; }); // whatever happens
            on_gpu = launch_for_a_while(kernel, buffer, seconds);
        }
    });
    if (bridge) bridge->exchange(); // what was left
    const double kept = std::accumulate(buffer.data(), buffer.data() + kFloats, 0.0);
    result.gpu_beside = static_cast<double>(on_gpu) / seconds;
    result.cpu_beside = static_cast<double>(on_cpu.load()) / seconds;
    result.kept = kept / static_cast<double>(on_gpu + on_cpu.load());
    return result;
}

WideIncrements measure_wide() {
    const ParameterBuffer buffer(kFloats, MemoryKind::kDevice);
    const Stream stream;
    WideIncrements rates;
    rates.four_floats = alone(increment_four_floats, buffer, stream);
    if (increment_two_bfloats(smallest(buffer), stream.get()) != cudaErrorNotSupported) {
        rates.two_bfloats = alone(increment_two_bfloats, buffer, stream);
    }
    return rates;
}

} // namespace

std::optional<GpuRates> measure_gpu(unsigned threads) {
    const Gpus gpus = read_gpus();
    if (gpus.list.empty()) return {};
    GpuRates rates;
    rates.link = measure_link();
    for (const MemoryKind memory : {MemoryKind::kDevice, MemoryKind::kReplica, MemoryKind::kMapped,
                                    MemoryKind::kManaged, MemoryKind::kManagedHost, MemoryKind::kManagedDevice}) {
        if (is_managed(memory) && !gpus.list[0].concurrent_managed_access) continue;
        rates.increments.push_back(measure_increments<Racy>(memory, threads));
        rates.increments.push_back(measure_increments<AtomicAdd>(memory, threads));
    }
    rates.wide = measure_wide();
    return rates;
}

} // namespace hogwild
