#include "engine/schemes/two_devices/batches.h"

#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"

namespace hogwild {
namespace {

constexpr std::uint64_t kRound = 2; // steps of each worker

} // namespace

Batches::Device::Device(const Plan& plan, std::uint32_t first, std::uint64_t workers)
    : rule(adapts(plan) ? plan.batch.size : first, first, adapts(plan) ? most_gpu_batch(plan) : first,
           kRound * std::max<std::uint64_t>(workers, 1)),
      batch(first) {}

Batches::Batches(const Plan& plan, const Timeline& timeline, const Recorder& recorder)
    : recorder_(recorder),
      least_(plan.batch.size),
      chunk_(timeline.chunk()),
      teams_(gpu_teams(plan) / plan.gpu.streams),
      counts_(has_two_batches(plan)),
      parted_(counts_ && (adapts(plan) || plan.batch.gpu > 0)),
      adapts_(counts_ && adapts(plan)),
      lines_{std::vector<PublishedCount>(cpu_workers(plan)), std::vector<PublishedCount>(gpu_workers(plan))},
      steps_{Consumed(lines_[kThreads]), Consumed(lines_[kStreams])},
      devices_{Device(plan, plan.batch.size, cpu_workers(plan)), Device(plan, first_gpu_batch(plan), gpu_teams(plan))} {
    for (Device& device : devices_) device.changes.push_back({0, device.rule.batch(), 0});
}

std::uint32_t Batches::next(Side side) {
    Device& device = devices_[side];
    const Side beside = side == kThreads ? kStreams : kThreads;
    if (adapts_) {
        const std::unique_lock look(device.looks, std::try_to_lock);
        if (look.owns_lock()) {
            const std::uint32_t before = device.rule.batch();
            const std::uint64_t own = steps_[side].total();
            // Relaxed: the other's batch is a number, and the next look corrects what this one makes of an old one.
            const bool other_can_shrink = devices_[beside].batch.load(std::memory_order_relaxed) > least_;
            const std::uint32_t now = device.rule.next(own, steps_[beside].total(), other_can_shrink);
            if (now != before) device.changes.push_back({recorder_.seconds(), now, own});
            device.batch.store(now, std::memory_order_relaxed);
        }
    }
    return device.batch.load(std::memory_order_relaxed);
}

BatchTotals Batches::totals() {
    if (!counts_) return {};
    const auto of = [&](Side side) { return DeviceSteps{steps_[side].total(), devices_[side].changes}; };
    return {of(kThreads), of(kStreams)};
}

} // namespace hogwild
