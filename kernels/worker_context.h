// Borrowed memory: what one worker lends to the policies, guards and probes of its kernel. The engine owns all of it.
//
// Thread-safety: a context belongs to one worker. Behind its pointers lie the shared parts: locks, turn, clock, published
// vectors and other workers' counters, reached by atomics only.
#pragma once

#include "kernels/exchange/publication.h"
#include "kernels/network/layer_update.h"
#include "kernels/numbers/histogram.h"
#include "kernels/steps/staleness_rule.h"

#include <atomic>
#include <cstdint>
#include <span>

namespace hogwild {

struct OptimizerState; // kernels/network/optimizer.h

/// One spin lock; 0 is free.
using LockWord = std::atomic<std::uint32_t>;

/// A counter alone on its cache line, so that counting disturbs nobody.
struct alignas(64) PublishedCount {
    std::atomic<std::uint64_t> value{0};
};

struct alignas(64) WorkerContext {
    std::uint32_t worker = 0;
    std::uint32_t workers = 1;
    bool yields = false; // workers exceed cores: waiting gives the core away

    // cas-bounded, publish
    std::uint32_t cas_limit = 8;
    std::uint64_t dropped = 0; // increments of coordinates

    std::uint64_t steps_dropped = 0; // whole ones, by publish or for their staleness

    // publish: the vectors of all workers, and, of steps that touch every weight, this one's increments, Publication::stride of them
    Publication publication;
    std::span<float> increments;

    // kernels/steps/stale_steps.h: `written` counts all workers' steps
    StalenessRule staleness_rule = StalenessRule::kNone;
    std::uint32_t staleness_limit = 0;
    std::atomic<std::uint64_t>* written = nullptr;

    // guards: group j of coordinates (kernels/views/any_view.h) is protected by locks[j >> lock_shift]
    std::span<LockWord> locks;
    std::uint32_t lock_shift = 0;

    // round-robin: the position that may write now, and the next one of this worker
    std::atomic<std::uint64_t>* turn = nullptr;
    std::uint64_t next_turn = 0;

    // of samples whose steps need memory of their own (kernels/steps/steps.h), and whether weights are copied before they are
    // computed with
    std::span<float> scratch;
    bool copies = false;

    const OptimizerState* optimizer = nullptr; // of samples whose steps may go by one; null: plain SGD

    std::span<const LayerUpdate> layer_updates; // of networks; empty: the run's policy is every layer's

    std::uint64_t delay = 0; // nanoseconds that each gradient takes longer (kernels/probes/delayed.h)

    // telemetry
    std::span<PublishedCount> published;         // sampled: steps that wrote, per worker
    std::uint32_t sampled_every = 1'024;         // sampled: one step of so many
    std::atomic<std::uint64_t>* clock = nullptr; // exact: steps that wrote, of all workers
    std::uint64_t seen = 0;                      // exact: the clock just after this worker's last write
    std::uint64_t missed = 0;                    // exact: steps of others between a write and the next read
    Histogram* staleness = nullptr;
    std::span<PublishedCount>
        layer_writes; // of a network's layers: steps that wrote one, of all workers; empty: not counted
    std::span<Histogram> layer_staleness; // of a network's layers: staleness of this worker's steps
    float* shadow = nullptr;              // exact: a buffer that counts increments, same shape as the weights
    std::uint64_t issued = 0;             // exact: increments sent to the shadow
    std::uint64_t shadow_dropped = 0;
};

} // namespace hogwild
