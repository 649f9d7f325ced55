// Owns what the workers of one run share besides the weights: locks, turn, counters, an optimiser's states, published vectors,
// shadow buffer, histograms.
//
// Thread-safety: each worker uses its own context; `telemetry` after the join.
#pragma once

#include "engine/memory/pages.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/record/outcome.h"
#include "engine/workers/optimizer_states.h"
#include "kernels/updates/guards/traits.h"
#include "kernels/views/any_view.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// Why exact telemetry could not stay exact for this plan (a coordinate's count could reach 2^24); else empty.
std::string why_not_exact(const Plan& plan, const AnyView& data);

class WorkerContexts {
public:
    /// The plan is one that why_not_exact lets pass.
    /// `scratch`: floats of each worker's own.
    WorkerContexts(const Plan& plan, const AnyView& data, unsigned workers, bool yields, std::size_t scratch = 0);

    WorkerContext& operator[](unsigned worker) { return contexts_[worker]; }
    std::atomic<std::uint64_t>& turn() { return turn_.value; }
    /// Under exact telemetry the buffer that counts increments; else null.
    const ParameterBuffer* shadow() const { return shadow_.get(); }

    /// Under guard publish the vectors that workers step on; else null. `begin` makes the first of these weights, before they step.
    const Publication* publication() const { return published_.size() > 0 ? &publication_ : nullptr; }
    void begin(const float* weights) const;
    /// Multiplies [begin, end) of the newest, while nobody steps.
    void rescale(std::uint32_t begin, std::uint32_t end, float factor) const;

    /// Floats that published vectors of so many coordinates take; 0 where the plan publishes none.
    static std::uint64_t published_floats(const Plan& plan, std::uint32_t coordinates);

    /// `issued_by_gpu`: increments that streams sent to the shadow.
    Telemetry telemetry(std::uint64_t issued_by_gpu = 0);

private:
    void make_locks(const GuardTraits& guard, std::uint32_t groups);
    void make_published(const Plan& plan, std::uint32_t coordinates);
    void make_exact(const Plan& plan, const AnyView& data);
    void make_layers(std::uint32_t layers);

    PublishedCount turn_;
    PublishedCount clock_;
    PublishedCount written_;
    std::vector<LockWord> locks_;
    std::vector<PublishedCount> counts_;
    std::vector<Histogram> staleness_;
    std::vector<PublishedCount> layer_writes_;
    std::vector<Histogram> layer_staleness_; // of each worker's layers
    std::vector<PageArray<float>> scratch_;
    OptimizerStates optimizer_;
    std::vector<LayerUpdate> layer_updates_;
    alignas(64) std::atomic<std::uint32_t> newest_{0};
    std::vector<Holds> holds_;
    PageArray<float> published_; // the vectors, then each worker's increments
    Publication publication_;
    std::unique_ptr<ParameterBuffer> shadow_;
    std::vector<WorkerContext> contexts_;
};

} // namespace hogwild
