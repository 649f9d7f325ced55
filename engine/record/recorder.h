// Owns the observations and the honest clock of a run.
//
// A snapshot is copied while workers run, by the worker that finishes the chunk where it is due. The copy is on the
// clock of every scheme, and its time is counted; observation 0 comes before the clock. How far the run has come is
// asked before and after the copy, and the snapshot is said to be of the moment half way. A copy that took much longer
// than others did, because its worker lost its core, mixes two moments far apart. It is made again, a few times at
// most. Evaluation happens after the run. The memory for all snapshots that can come to be is taken and touched before the
// clock starts. When it would pass the budget, only every k-th of them is kept.
//
// Thread-safety: `observe` from any worker, at most once per observation number; the rest before or after the run.
#pragma once

#include "engine/memory/pages.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/order/schedule.h"
#include "engine/record/snapshot.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hogwild {

class Recorder {
public:
    static constexpr std::uint64_t kFewest = 5; // snapshots that are kept whatever the budget

    /// When observations can come to be: of `asked` an epoch, at `moments` of it at most. Observation floor(x asked / moments)
    /// is due at moment x.
    struct Epoch {
        std::uint64_t asked = 1, moments = 1;
    };

    Recorder(std::uint32_t columns, std::uint64_t observations, std::uint64_t budget_bytes)
        : Recorder(columns, observations, budget_bytes, Epoch{}) {}
    Recorder(std::uint32_t columns, std::uint64_t observations, std::uint64_t budget_bytes, Epoch epoch);

    using Clock = std::chrono::steady_clock;

    /// Puts an earlier process's snapshots where they belong. The clock will go on after the last of them, and what is
    /// due up to it is not observed again. Before `start`.
    void go_on_from(std::span<const Snapshot> snapshots);

    /// `sink` is shown all snapshots that workers take, and the first; what `schedule` decided on goes with them. Before `start`.
    void show(SnapshotSink* sink, const Schedule& schedule);

    /// Takes observation 0 unless an earlier process did, calls `ready`, and starts the clock.
    void start(
        const ParameterBuffer& buffer, const std::function<void()>& ready = [] {});

    /// Seconds on the run's clock, once it has started.
    double seconds() const { return seconds_at(Clock::now()); }
    double seconds_at(Clock::time_point moment) const { return std::chrono::duration<double>(moment - start_).count(); }

    /// Where observation `number` in 1 .. observations goes, for whoever fills it by other means; null when the budget leaves
    /// it out.
    Snapshot* slot(std::uint64_t number);

    /// Copies the buffer as observation `number` in 1 .. observations, unless the budget leaves it out. `now`: how far the run
    /// has come when it is called.
    void observe(std::uint64_t number, const std::function<Moment()>& now, const float* values);

    /// Copies what CPU threads step on, as floats, as observation `number`.
    void observe(std::uint64_t number, const std::function<Moment()>& now, const ParameterBuffer& buffer);

    /// The same as the first while nobody writes.
    void observe(std::uint64_t number, Moment moment, const float* values) {
        observe(
            number, [&] { return moment; }, values);
    }

    /// Snapshots that it keeps at most.
    std::uint64_t slots() const { return snapshots_.size(); }

    /// After the run: the snapshots taken, in order of time.
    std::vector<Snapshot> taken() const;

private:
    using Copy = std::function<void(float*)>;
    void observe_by(std::uint64_t number, const std::function<Moment()>& now, const Copy& copy);
    void take(Snapshot& snapshot, const std::function<Moment()>& now, const Copy& copy);

    /// An observation's place among those that can come to be.
    std::uint64_t place(std::uint64_t number) const;

    std::uint32_t columns_;
    std::uint64_t observations_;
    Epoch epoch_;
    std::uint64_t keep_every_;
    std::atomic<double> fastest_copy_{1e9}; // seconds
    PageArray<float> memory_;
    std::vector<Snapshot> snapshots_;
    Clock::time_point start_;
    double before_ = 0;     // seconds on the clock before `start`
    std::uint64_t had_ = 0; // the last observation of an earlier process
    SnapshotSink* sink_ = nullptr;
    const Schedule* schedule_ = nullptr; // of the sink
};

} // namespace hogwild
