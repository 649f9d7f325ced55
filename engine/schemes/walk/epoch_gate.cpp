#include "engine/schemes/walk/epoch_gate.h"

#include "engine/plan/choice_rows.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "kernels/spin_wait.h"

#include <algorithm>

namespace hogwild {

std::vector<std::uint32_t> watched_rows(const Job& job, std::uint32_t most) {
    std::vector<std::uint32_t> rows(std::min(most, job.timeline.rows()));
    const auto permuting = std::ranges::find_if(kOrderTraits, &OrderTraits::permutes);
    OrderCursor cursor(permuting->name, job.data, job.plan.seed);
    fill(cursor, 0, 0, static_cast<std::uint32_t>(rows.size()), rows.data());
    return rows;
}

void decide_step(Job& job, std::uint32_t epoch, const std::vector<std::uint32_t>& rows, const float* weights,
                 double scale) {
    if (job.schedule.known() || job.schedule.losses().size() > epoch) return;
    const auto count = static_cast<std::uint32_t>(rows.size());
    std::vector<float> scratch;
    if (const std::size_t size = job.kernels.scratch(job.data); size > 0)
        scratch.resize(size + job.kernels.emission(job.data));
    job.schedule.decide(
        job.kernels.mean_loss(job.data, rows.data(), count, weights, static_cast<float>(scale), scratch.data()));
}

EpochGate::EpochGate(Job& job) : job_(job) {
    if (!job.schedule.known()) {
        loss_rows_ = watched_rows(job, kLossRows);
        std::uint32_t open = 0;
        for (const double loss : job.start_at.losses) {
            job.schedule.decide(loss);
            prepare(open++);
        }
        deciding_.store(open, std::memory_order_relaxed); // published by the workers' fork
        ready_.store(open, std::memory_order_relaxed);
        return;
    }
    for (std::uint32_t e = 0; e < job.timeline.epochs(); ++e) prepare(e);
    ready_.store(job.timeline.epochs(), std::memory_order_relaxed); // published by the workers' fork
}

void EpochGate::prepare(std::uint32_t epoch) {
    job_.timeline.prepare(epoch, job_.schedule);
    if (job_.gpu != nullptr) job_.gpu->prepare(job_.timeline, epoch);
}

bool EpochGate::enter(std::uint32_t epoch) {
    // Acquire: the epoch's table was filled before it was announced.
    const auto ready = [&] { return ready_.load(std::memory_order_acquire); };
    if (is_open(epoch)) return true;
    SpinWait wait(job_.yields);
    for (; ready() < epoch; wait.pause()) {
        if (job_.interrupted()) return false;
    }
    std::uint32_t undecided = epoch;
    if (deciding_.compare_exchange_strong(undecided, epoch + 1, std::memory_order_relaxed)) {
        if (bridges(job_.plan) > 0) job_.gpu->exchange(); // what is looked at is the host's array
        job_.buffer.download();
        job_.with_weights([&](const float* weights) {
            decide_step(job_, epoch, loss_rows_, weights, job_.timeline.scale_before(epoch));
        });
        prepare(epoch);
        ready_.store(epoch + 1, std::memory_order_release); // hands over the table
        return true;
    }
    for (; ready() <= epoch; wait.pause()) {
        if (job_.interrupted()) return false;
    }
    return true;
}

} // namespace hogwild
