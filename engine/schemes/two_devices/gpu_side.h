// The GPU's side of one run, as a scheme sees it. It is streams that step on the parameter buffer on their own
// (GpuWorkers), or one that takes batch after batch (GpuBatches).
//
// Abstract, so that schemes are the same in builds without CUDA, and a test can stand in for a GPU.
// Errors: throws Error when the device fails.
#pragma once

#include "engine/memory/parameter_buffer.h"
#include "engine/order/timeline.h"
#include "engine/record/evaluate.h"
#include "engine/record/outcome.h"
#include "engine/record/recorder.h"
#include "kernels/steps/pace.h"
#include "kernels/views/any_view.h"
#include "kernels/worker_context.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class GpuSide {
public:
    virtual ~GpuSide() = default;

    /// Once, just before the recorder's clock starts, when nobody steps yet.
    virtual void start(const Recorder& recorder) = 0;

    /// Multiplies what all workers step on by a factor, once the copies that were asked for are made; where nobody steps.
    virtual void rescale(float factor) = 0;

    /// After everything given has been done: fills the snapshots that were copied. `scale_at`: the scale of lazy L2 after so
    /// many samples.
    virtual void settle(const std::function<double(std::uint64_t)>& scale_at) = 0;

    /// After settle.
    virtual GpuShare share() const = 0;

    /// After settle: losses of weights in host memory over the training samples, or over others that are sent first.
    virtual std::vector<Losses> evaluate(std::span<const float* const> snapshots) = 0;
    virtual std::vector<Losses> evaluate(const AnyView& others, std::span<const float* const> snapshots) = 0;
};

/// What a stream is given to do.
struct Stint {
    Positions positions;
    std::uint64_t others = 0; // samples that CPU threads have consumed
    std::uint64_t end = 0;    // beyond so many of the run's samples no pace is known yet, or another era begins
    Snapshot* copy = nullptr; // not null: a copy of the weights for it follows the steps, while all workers go on
    std::uint64_t ahead = 0;  // samples that may be under way before these: who gives more waits until no more are
    std::uint32_t batch = 1;  // samples of a step, where steps take batches
};

/// Thread-safety: a stream is driven by one thread; different streams by different threads at the same time.
class GpuWorkers : public GpuSide {
public:
    /// Where CPU threads count the samples that they consume, a line each. What a copy of the weights finds there says
    /// how many it holds; with a replica, what the bridge found there does.
    virtual std::span<PublishedCount> threads() const = 0;

    /// What a stream does first, on no samples: code and threads reach a device when they first use it.
    virtual void rehearse(unsigned stream) = 0;

    /// Takes an epoch's step sizes and scales, which have been prepared; before the epoch's first step, by one thread at a
    /// time.
    virtual void prepare(const Timeline& timeline, std::uint32_t epoch) = 0;

    /// Puts the steps of the stint behind what the stream was given before; returns while they may still run.
    virtual void step(unsigned stream, const Stint& stint) = 0;

    /// Samples of this stream whose steps are known to be done: all, after finish.
    virtual std::uint64_t consumed(unsigned stream) const = 0;

    /// Steps of this stream that are known to be done, where steps take batches: all, after finish.
    virtual std::uint64_t steps(unsigned stream) const = 0;

    /// Samples of all streams that CPU threads see the increments of, as the device said last, some microseconds ago.
    /// With a replica, samples that have been exchanged. 0 where no CPU thread steps. Any thread.
    virtual std::uint64_t said() const = 0;

    /// Such a copy now, by any thread; of no fewer samples than to->updates says.
    virtual void copy(Snapshot* to) = 0;

    /// Returns once everything that the stream was given is done, and all copies that were asked for are made.
    virtual void finish(unsigned stream) = 0;

    /// replica: one exchange of increments with the host's array, while all others may step. Any thread.
    virtual void exchange() = 0;

    /// replica: the last one, once nobody steps any more.
    virtual void exchange_rest() = 0;
};

/// Thread-safety: one thread.
class GpuBatches : public GpuSide {
public:
    /// Before the clock starts: `step` will be asked for so many batches at once.
    virtual void prepare(std::uint32_t count) = 0;

    /// What the batches of the coming epoch multiply by; steps of the epoch before may still run.
    virtual void begin_epoch(std::span<const BatchPace> paces) = 0;

    /// Puts the steps of the epoch's batches [first, first + count) behind what was given before. Where `copy` is not
    /// null, a copy of the weights follows. Returns while they may still run.
    virtual void step(std::uint32_t first, std::uint32_t count, Snapshot* copy) = 0;

    /// Returns once everything given is done.
    virtual void finish() = 0;
};

/// Streams on GPU 0, for a plan that passed why_not: the samples, and room for `snapshots` copies, are on the device when this
/// returns. `shadow`: what counts increments under exact telemetry, floats of the same kind;
/// else null.
std::unique_ptr<GpuWorkers> make_gpu_workers(const Plan& plan, const AnyView& data, ParameterBuffer& buffer,
                                             const ParameterBuffer* shadow, std::uint64_t snapshots);

/// Why matrices cannot be multiplied here (cuBLAS is missing), as steps by graphs and batches of samples that hold every column want; else
/// empty.
std::string why_not_dense_products();

/// The same for a synchronous plan.
std::unique_ptr<GpuBatches> make_gpu_batches(const Plan& plan, const AnyView& data, const ParameterBuffer& buffer,
                                             std::uint64_t snapshots);

} // namespace hogwild
