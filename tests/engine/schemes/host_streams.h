// Streams of a GPU that is not there: the driver's thread steps on the buffer by the CPU's kernels, before `step` returns.
#pragma once

#include "engine/error.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"
#include "kernels/atomic.h"
#include "kernels/numbers/power.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

namespace hogwild {

class HostStreams : public GpuWorkers {
public:
    HostStreams(const Plan& plan, const AnyView& data, float* weights, const Kernels& kernels = kernels_of<Hinge>())
        : plan_(plan),
          kernels_(kernels),
          data_(data),
          weights_(weights),
          consumed_(plan.gpu.streams),
          made_(plan.gpu.streams),
          threads_(cpu_workers(plan)),
          contexts_(plan.gpu.streams) {
        const std::size_t floats = kernels_.step_scratch(data, most_gpu_batch(plan), false);
        for (WorkerContext& context : contexts_) context.scratch = scratch_.emplace_back(floats);
    }

    void start(const Recorder& recorder) override {
        recorder_ = &recorder;
        ++starts;
    }

    std::span<PublishedCount> threads() const override { return threads_; }

    void prepare(const Timeline& timeline, std::uint32_t epoch) override {
        paces_.resize(timeline.cells() * timeline.epochs());
        timeline.paces(epoch, paces_.data() + epoch * timeline.cells());
    }

    void step(unsigned stream, const Stint& stint) override {
        const int call = ++steps_;
        if (call == fails_at) fail();
        if (call == 1) first_end = stint.end;
        const Positions& positions = stint.positions;
        if (apart) {
            while (by_threads() == 0) std::this_thread::yield(); // or these took all before a thread began
        } else {
            for (int time = 0; time < times; ++time) walk(stream, positions, stint.batch);
        }
        consumed_[stream].value.fetch_add(positions.count, std::memory_order_relaxed);
        made_[stream] += (positions.count + stint.batch - 1) / stint.batch;
        if (stint.copy != nullptr) copy(stint.copy);
    }

    void walk(unsigned stream, const Positions& positions, std::uint32_t batch) {
        const Pace* const paces = paces_.data() + positions.epoch * (paces_.size() / plan_.epochs);
        const auto kernel = kernels_.steps[catalog::find<Updates>(plan_.update)][0][0].by_set[0];
        OrderCursor cursor(plan_.order, data_, plan_.seed, true);
        std::vector<std::uint32_t> rows(positions.count);
        fill(cursor, positions.epoch, positions.first, positions.count, rows.data());
        for (std::uint32_t i = 0; i < positions.count;) { // cell by cell, as threads alone go
            const std::uint32_t position = positions.first + i, within = position % Timeline::kCell;
            const std::uint32_t count = std::min(Timeline::kCell - within, positions.count - i);
            const Pace& cell = paces[position / Timeline::kCell];
            const Chunk chunk{.samples = &rows[i],
                              .count = count,
                              .ahead = 0,
                              .primed = false,
                              .weights = weights_,
                              .scale = cell.scale * power(cell.decay, within),
                              .decay = cell.decay,
                              .skip = 1,
                              .step = cell.step,
                              .epoch = positions.epoch,
                              .seed = plan_.seed,
                              .batch = batch};
            kernel(data_, chunk, contexts_[stream]);
            i += count;
        }
    }

    void copy(Snapshot* to) override {
        to->seconds = recorder_->seconds();
        to->updates = stepped() + by_threads();
        to->taken = true;
    }

    void finish(unsigned) override {}
    void exchange() override { ++exchanges; }
    void rehearse(unsigned) override {
        ++rehearsals;
        if (starts > 0) ++late_rehearsals;
        if (fails_at_rehearsal) fail();
    }
    void exchange_rest() override { ++exchanges; }
    void rescale(float factor) override {
        if (++rescales_ == fails_at_rescale || sticky_) fail();
        for (std::uint32_t j = 0; j < data_.coordinates(); ++j)
            relaxed_store(weights_[j], relaxed_load(weights_[j]) * factor);
    }
    void settle(const std::function<double(std::uint64_t)>&) override {}
    GpuShare share() const override { return {}; }
    std::vector<Losses> evaluate(std::span<const float* const>) override { return {}; }
    std::vector<Losses> evaluate(const AnyView&, std::span<const float* const>) override { return {}; }

    std::uint64_t consumed(unsigned stream) const override {
        return consumed_[stream].value.load(std::memory_order_relaxed);
    }

    std::uint64_t steps(unsigned stream) const override { return made_[stream]; }

    std::uint64_t said() const override { return apart ? 0 : stepped(); }

    /// Samples.
    std::uint64_t stepped() const {
        std::uint64_t sum = 0;
        for (const PublishedCount& count : consumed_) sum += count.value.load(std::memory_order_relaxed);
        return sum;
    }

    int starts = 0;
    std::uint64_t first_end = 0; // the first stint's
    std::atomic<int> exchanges{0};
    std::atomic<int> rehearsals{0}, late_rehearsals{0}; // late: after the start
    bool fails_at_rehearsal = false;
    int times = 1;            // that a stint is stepped through
    bool apart = false;       // of a replica: no increment of these streams reaches the host's array
    int fails_at = 0;         // the step that throws; 0: none
    int fails_at_rescale = 0; // the rescaling that throws; 0: none

private:
    std::uint64_t by_threads() const {
        std::uint64_t sum = 0;
        for (const PublishedCount& count : threads_) sum += count.value.load(std::memory_order_relaxed);
        return sum;
    }

    /// As of a device: what failed once fails from then on.
    [[noreturn]] void fail() {
        sticky_ = true;
        throw Error("the device failed", "a test wants it", "");
    }

    const Plan& plan_;
    const Kernels& kernels_;
    AnyView data_;
    float* weights_;
    std::vector<Pace> paces_;
    const Recorder* recorder_ = nullptr;
    std::atomic<bool> sticky_{false};
    std::atomic<int> steps_{0}, rescales_{0};
    std::vector<PublishedCount> consumed_; // by streams
    std::vector<std::uint64_t> made_;      // steps of each
    std::vector<std::vector<float>> scratch_;
    mutable std::vector<PublishedCount> threads_;
    std::vector<WorkerContext> contexts_;
};

} // namespace hogwild
