#include "engine/schemes/eras.h"

#include "kernels/spin.h"

#include <algorithm>

namespace hogwild {

void Eras::Visitor::reach(std::uint64_t g) {
    Job& job = eras_.job_;
    for (; end_ <= g && end_ < job.timeline.chunks(); end_ = job.timeline.era_end(end_)) {
        eras_.barrier_.wait(worker_);
        if (!job.interrupted()) {
            const CoordinateRange range = slice(job.buffer.size(), worker_, eras_.workers_);
            job.buffer.rescale(range.begin, range.end, static_cast<float>(job.timeline.scale_after(end_ - 1)));
        }
        eras_.barrier_.wait(worker_);
        ++passed_;
    }
}

std::vector<std::uint32_t> watched_rows(const Job& job, std::uint32_t most) {
    std::vector<std::uint32_t> rows(std::min(most, job.timeline.rows()));
    OrderCursor cursor("permutation", job.data, job.plan.seed);
    fill(cursor, 0, 0, static_cast<std::uint32_t>(rows.size()), rows.data());
    return rows;
}

void begin_epoch(Job& job, std::uint32_t epoch, const std::vector<std::uint32_t>& rows, const float* weights,
                 double scale) {
    if (!job.schedule.known()) {
        const auto count = static_cast<std::uint32_t>(rows.size());
        job.schedule.decide(job.kernels.mean_loss(job.data, rows.data(), count, weights, static_cast<float>(scale)));
    }
    job.timeline.prepare(epoch, job.schedule);
}

EpochGate::EpochGate(Job& job) : job_(job) {
    if (!job.schedule.known()) {
        loss_rows_ = watched_rows(job, kLossRows);
        return;
    }
    for (std::uint32_t e = 0; e < job.timeline.epochs(); ++e) job.timeline.prepare(e, job.schedule);
    ready_.store(job.timeline.epochs(), std::memory_order_relaxed); // published by the workers' fork
}

void EpochGate::enter(std::uint64_t g) {
    const std::uint64_t per_epoch = job_.timeline.chunks_per_epoch();
    const auto epoch = static_cast<std::uint32_t>(g / per_epoch);
    // Acquire: the epoch's table was filled before it was announced.
    if (ready_.load(std::memory_order_acquire) > epoch) return;
    std::uint32_t undecided = epoch;
    SpinWait wait(job_.yields);
    while (ready_.load(std::memory_order_acquire) < epoch && !job_.interrupted()) wait.pause();
    if (deciding_.compare_exchange_strong(undecided, epoch + 1, std::memory_order_relaxed)) {
        const double scale = epoch == 0 ? 1.0 : job_.timeline.scale_after(epoch * per_epoch - 1);
        begin_epoch(job_, epoch, loss_rows_, job_.buffer.data(), scale);
        ready_.store(epoch + 1, std::memory_order_release); // hands over the table
    } else {
        while (ready_.load(std::memory_order_acquire) <= epoch && !job_.interrupted()) wait.pause();
    }
}

} // namespace hogwild
