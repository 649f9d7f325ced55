// One worker's walk over chunks: its order cursor, its kernel, its context. Shared by serial, hogwild, round-robin.
#pragma once

#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace hogwild {

/// The steps kernel of (update, guard, probe); never null for a plan that passed why_not.
Kernels::Steps steps_kernel(const Job& job, std::string_view update, std::string_view guard, std::string_view probe);

/// One worker's steps on the run's buffer: of floats that kernel, of short numbers their own (kernels/patterns/low_precision_steps.h).
std::function<void(const Chunk&)> steps_on_buffer(const Job& job, std::string_view update, std::string_view guard,
                                                  WorkerContext& context);

class Walker {
public:
    Walker(const Job& job, Kernels::Steps kernel, WorkerContext& context)
        : Walker(job, [&job, kernel, &context](const Chunk& chunk) { kernel(job.data, chunk, context); }) {}

    /// With steps of a scheme's own.
    Walker(const Job& job, std::function<void(const Chunk&)> steps)
        : job_(job),
          steps_(std::move(steps)),
          cursor_(job.plan.order, job.data, job.plan.seed, gpu_workers(job.plan) > 0),
          weights_(job.buffer.data()),
          rows_(2 * std::max({Timeline::kCell, job.timeline.chunk(), most_cpu_batch(job.plan)})) {}

    /// Work on another buffer than the shared one.
    void use(float* weights) { weights_ = weights; }

    /// One past the last chunk that begins with a sample that the order keeps together with the first of chunk g.
    std::uint64_t block_end(std::uint64_t g);

    /// Samples at `positions` will be stepped through after those queued before (at most one other call's). They are
    /// the positions offset, offset + stride, ..., this worker's share where workers interleave.
    void queue(const Positions& positions, std::uint32_t offset = 0, std::uint32_t stride = 1);

    /// Steps through what was queued first. `pace` is that of its positions.
    void walk(const Pace& pace);

    /// Steps through what was queued first, from `pace` on, by batches of so many samples where steps take some.
    /// `beside`: samples that others are expected to consume during each of the steps.
    void walk_among(const Pace& pace, std::uint32_t beside, std::uint32_t batch);

private:
    struct Share {
        std::uint32_t epoch = 0;
        std::uint32_t count = 0;
        std::uint32_t offset = 0;
        std::uint32_t stride = 1;
    };

    void step(const Pace& pace, double skip, std::uint32_t batch);

    const Job& job_;
    std::function<void(const Chunk&)> steps_;
    OrderCursor cursor_;
    float* weights_;
    bool primed_ = false; // the current share's first rows have been prefetched
    Share current_;
    Share next_;
    std::uint32_t queued_ = 0;        // shares
    std::vector<std::uint32_t> rows_; // the current share's, then the next one's
};

} // namespace hogwild
