#include "engine/schemes/walk/walker.h"

#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/kernels/low_precision_kernels.h"
#include "kernels/numbers/power.h"

#include <algorithm>

namespace hogwild {

Kernels::Steps steps_kernel(const Job& job, std::string_view update, std::string_view guard, std::string_view probe) {
    const std::size_t u = catalog::find<Updates>(update), g = catalog::find<Guards>(guard),
                      p = catalog::find<Probes>(probe);
    const Kernels::StepForms& forms = job.kernels.steps[u][g][p];
    return job.plan.delay > 0 ? forms.delayed : forms.by_set[static_cast<std::size_t>(job.lanes)];
}

std::function<void(const Chunk&)> steps_on_buffer(const Job& job, std::string_view update, std::string_view guard,
                                                  WorkerContext& context) {
    const MemoryKind memory = job.buffer.kind();
    if (!is_low_precision(memory)) {
        const Kernels::Steps steps = steps_kernel(job, update, guard, job.plan.telemetry);
        return [&job, steps, &context](const Chunk& chunk) { steps(job.data, chunk, context); };
    }
    return job.buffer.with_cells([&]<class Number>(const Cells<Number>& cells) -> std::function<void(const Chunk&)> {
        const auto& forms =
            low_precision_kernels<Number>(job.plan.problem).by_rounding[static_cast<std::size_t>(memory.rounding)];
        const auto steps = forms[static_cast<std::size_t>(job.lanes)];
        return [&data = job.data.as<SparseView>(), steps, cells](const Chunk& chunk) { steps(data, chunk, cells); };
    });
}

std::uint64_t Walker::block_end(std::uint64_t g) {
    const Positions first = job_.timeline.positions(g);
    const std::uint32_t end = cursor_.together_end(first.epoch, first.first);
    return job_.timeline.chunk_of(std::uint64_t{first.epoch} * job_.timeline.rows() + end - 1) + 1;
}

void Walker::queue(const Positions& positions, std::uint32_t offset, std::uint32_t stride) {
    Share share{positions.epoch, 0, offset, stride};
    if (offset < positions.count) share.count = (positions.count - offset + stride - 1) / stride;
    std::uint32_t* rows = rows_.data() + (queued_ == 0 ? 0 : current_.count);
    if (stride == 1)
        fill(cursor_, positions.epoch, positions.first + offset, share.count, rows);
    else
        cursor_.fill(positions.epoch, positions.first + offset, stride, share.count, rows);
    (queued_ == 0 ? current_ : next_) = share;
    ++queued_;
}

void Walker::walk(const Pace& pace) {
    const Pace own{pace.step, pace.decay, pace.scale * power(pace.decay, current_.offset)};
    step(own, power(pace.decay, current_.stride - 1), job_.plan.batch.size);
}

void Walker::walk_among(const Pace& pace, std::uint32_t beside, std::uint32_t batch) {
    step(pace, power(pace.decay, beside), batch);
}

/// The current share's steps; then the next one becomes the current one.
void Walker::step(const Pace& pace, double skip, std::uint32_t batch) {
    Chunk chunk;
    chunk.samples = rows_.data();
    chunk.count = current_.count;
    chunk.ahead = queued_ == 2 ? std::min(next_.count, Chunk::kMostAhead) : 0;
    chunk.batch = batch;
    chunk.step_of = scales_steps(job_.plan) ? job_.plan.batch.size : 0;
    chunk.primed = primed_;
    chunk.weights = weights_;
    chunk.scale = pace.scale;
    chunk.decay = pace.decay;
    chunk.skip = skip;
    chunk.step = pace.step;
    chunk.epoch = current_.epoch;
    chunk.seed = job_.plan.seed;
    if (chunk.count > 0) steps_(chunk);
    primed_ = chunk.ahead > 0 && chunk.count >= Chunk::kMostAhead;
    if (queued_ == 2) std::copy_n(rows_.data() + current_.count, next_.count, rows_.data());
    current_ = next_;
    --queued_;
}

} // namespace hogwild
