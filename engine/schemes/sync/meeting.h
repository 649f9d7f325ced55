// One worker's side of a synchronous scheme: it meets the others at a barrier, its waiting timed, and worker 0 observes.
#pragma once

#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"
#include "engine/workers/barrier.h"

#include <chrono>

namespace hogwild {

class Meeting {
public:
    Meeting(Job& job, SpinBarrier& barrier, unsigned worker) : job_(job), barrier_(barrier), worker_(worker) {}

    void wait() {
        timed([&] { barrier_.wait(worker_); });
    }

    /// Waits otherwise: that time counts too.
    template <class Wait>
    void timed(const Wait& wait) {
        const Clock::time_point start = Clock::now();
        wait();
        waited_ += Clock::now() - start;
    }

    double waited() const { return waited_.count(); }

    /// The samples [first, first + count) of the epoch have been consumed by all: copies `values` if an observation is due.
    /// By one worker, while nobody writes them.
    void observe(std::uint32_t epoch, std::uint64_t first, std::uint64_t count, double scale, const float* values) {
        const std::uint64_t rows = job_.timeline.rows();
        const std::uint64_t per_epoch = job_.plan.observations_per_epoch;
        const std::uint64_t updates = epoch * rows + first + count;
        job_.report(updates);
        const std::uint64_t number = (first + count) * per_epoch / rows;
        if (number == first * per_epoch / rows) return;
        if (epoch * per_epoch + number == job_.timeline.observations()) return; // the last is taken after the join
        job_.recorder.observe(epoch * per_epoch + number, Moment{updates, scale}, values);
    }

private:
    using Clock = std::chrono::steady_clock;

    Job& job_;
    SpinBarrier& barrier_;
    unsigned worker_;
    std::chrono::duration<double> waited_{0};
};

} // namespace hogwild
