#include "engine/workers/contexts.h"

#include "engine/data/group_counts.h"
#include "engine/network/layer_updates.h"
#include "engine/order/order.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/record/staleness.h"
#include "kernels/guards.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kMostLocks = 1u << 20; // 4 MiB; beyond it neighbours share a lock
constexpr std::uint64_t kExactFloatCounts = 1u << 24;

} // namespace

std::string why_not_exact(const Plan& plan, const AnyView& data) {
    if (!counts_all(plan) || data.rows() == 0) return "";
    // Drawn with replacement, a sample may come again within an epoch.
    std::uint64_t hottest = data.rows();
    if (!repeats(plan.order)) hottest = GroupCounts(data).most();
    hottest *= data.most_repeats();
    const std::uint64_t most_epochs = (kExactFloatCounts - 1) / std::max<std::uint64_t>(hottest, 1);
    if (plan.epochs <= most_epochs) return "";
    const std::string cure = most_epochs > 0 ? fmt::format("use at most {} epochs", most_epochs) : "use fewer samples";
    return fmt::format(
        "--telemetry exact: a coordinate's count could reach 2^24, where float sums stop being exact; {} or "
        "--telemetry sampled",
        cure);
}

WorkerContexts::WorkerContexts(const Plan& plan, const AnyView& data, unsigned workers, bool yields,
                               std::size_t scratch)
    : counts_(workers), staleness_(workers), optimizer_(plan, data.coordinates()), contexts_(workers) {
    if (problem_traits(plan).takes_network)
        layer_updates_ = layer_updates(plan.network.update, data.as<ImagesView>().network());
    for (unsigned w = 0; w < workers; ++w) {
        WorkerContext& context = contexts_[w];
        context.worker = w;
        context.workers = workers;
        context.yields = yields;
        context.cas_limit = plan.cas_limit;
        context.delay = static_cast<std::uint64_t>(std::llround(plan.delay * 1e9));
        context.turn = &turn_.value;
        context.next_turn = w;
        context.published = counts_;
        if (problem_traits(plan).takes_batches) context.sampled_every = 1; // such a step is long
        context.staleness = &staleness_[w];
        context.scratch = scratch_.emplace_back(scratch).span();
        context.copies = reads_copy(plan);
        context.optimizer = optimizer_.of(w);
        context.layer_updates = layer_updates_;
        context.staleness_rule = staleness_rule(plan.staleness.rule);
        context.staleness_limit = plan.staleness.limit;
        context.written = &written_.value;
    }
    const GuardTraits& guard = guard_traits(plan);
    if (guard.publishes) make_published(plan, data.coordinates());
    if (guard.locks != GuardTraits::Locks::kNone) make_locks(guard, data.groups());
    if (counts_all(plan)) make_exact(plan, data);
    // Where vectors are published a step reads all layers at once, and writes them so.
    if (problem_traits(plan).takes_network && has_telemetry(plan) && !guard.publishes)
        make_layers(data.as<ImagesView>().network().count);
}

void WorkerContexts::make_layers(std::uint32_t layers) {
    layer_writes_ = std::vector<PublishedCount>(layers);
    layer_staleness_ = std::vector<Histogram>(layers * contexts_.size());
    for (WorkerContext& context : contexts_) {
        context.layer_writes = layer_writes_;
        context.layer_staleness = std::span(layer_staleness_).subspan(std::size_t{layers} * context.worker, layers);
    }
}

void WorkerContexts::make_locks(const GuardTraits& guard, std::uint32_t groups) {
    std::uint32_t shift = 0;
    while ((groups >> shift) >= kMostLocks) ++shift;
    locks_ = std::vector<LockWord>(guard.locks == GuardTraits::Locks::kOne ? 1 : (groups >> shift) + 1);
    for (WorkerContext& context : contexts_) {
        context.locks = locks_;
        context.lock_shift = shift;
    }
}

std::uint64_t WorkerContexts::published_floats(const Plan& plan, std::uint32_t coordinates) {
    if (!guard_traits(plan).publishes) return 0;
    const unsigned increments = problem_traits(plan).touches_all ? plan.threads : 0;
    return (std::uint64_t{Publication::vectors(plan.threads)} + increments) * Publication::stride(coordinates);
}

void WorkerContexts::make_published(const Plan& plan, std::uint32_t coordinates) {
    const std::size_t stride = Publication::stride(coordinates), vectors = Publication::vectors(plan.threads);
    published_ = PageArray<float>(published_floats(plan, coordinates));
    std::ranges::fill(published_.span(), 0.0f); // no page fault on the clock
    holds_ = std::vector<Holds>(vectors);
    publication_ = Publication(newest_, holds_, published_.data(), coordinates);
    for (WorkerContext& context : contexts_) {
        context.publication = publication_;
        if (problem_traits(plan).touches_all)
            context.increments = published_.span().subspan((vectors + context.worker) * stride, stride);
    }
}

void WorkerContexts::begin(const float* weights) const {
    const HeldVector first = publication_.take();
    std::copy_n(weights, publication_.size(), first.values);
    publication_.release(first);
}

void WorkerContexts::rescale(std::uint32_t begin, std::uint32_t end, float factor) const {
    const HeldVector newest = publication_.take();
    for (std::uint32_t j = begin; j < end; ++j) newest.values[j] *= factor;
    publication_.release(newest);
}

void WorkerContexts::make_exact(const Plan& plan, const AnyView& data) {
    const MemoryKind memory = memory_kind(plan); // counts are floats, whatever the weights are
    shadow_ = std::make_unique<ParameterBuffer>(data.coordinates(), is_device(memory) ? MemoryKind::kDevice : memory);
    for (WorkerContext& context : contexts_) {
        context.clock = &clock_.value;
        context.shadow = shadow_->data();
    }
}

Telemetry WorkerContexts::telemetry(std::uint64_t issued_by_gpu) {
    Telemetry result;
    result.increments_issued = issued_by_gpu;
    Histogram all;
    std::uint64_t shadow_dropped = 0;
    for (const WorkerContext& context : contexts_) {
        all.merge(*context.staleness);
        result.increments_dropped += context.dropped;
        result.steps_dropped += context.steps_dropped;
        result.increments_issued += context.issued;
        shadow_dropped += context.shadow_dropped;
    }
    result.staleness = summary(all);
    for (std::size_t l = 0; l < layer_writes_.size(); ++l) {
        Histogram of_layer;
        for (const WorkerContext& context : contexts_) of_layer.merge(context.layer_staleness[l]);
        result.layers.push_back(summary(of_layer));
    }
    if (!shadow_) return result;
    shadow_->download();
    double kept = 0;
    for (std::uint32_t j = 0; j < shadow_->size(); ++j) kept += shadow_->data()[j];
    result.increments_lost = result.increments_issued - shadow_dropped - static_cast<std::uint64_t>(kept);
    return result;
}

} // namespace hogwild
