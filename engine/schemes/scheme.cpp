#include "engine/schemes/scheme.h"

#include "engine/schemes/all.h"

namespace hogwild {

void Job::start() {
    if (gpu != nullptr) gpu->start(recorder);
    if (batches != nullptr) batches->start(recorder);
    recorder.start(buffer, [&] {
        if (batches == nullptr) team.wake(); // batches have no workers
        disturbance.start(batches == nullptr ? DisturbanceMeter::Caller::kWaits : DisturbanceMeter::Caller::kWorks);
    });
}

bool is_due(Job& job, std::uint64_t g) {
    const std::uint64_t number = job.timeline.observation_after(g);
    if (number == 0 || number == job.timeline.observations()) return false;
    return !job.interrupted(); // then others may have stopped before their chunks, or an era may have ended for some only
}

void observe(Job& job, std::uint64_t g, const std::function<std::uint64_t()>& consumed) {
    job.report(job.timeline.updates_after(g));
    if (!is_due(job, g)) return;
    const auto now = [&] {
        const std::uint64_t updates = consumed();
        return Moment{updates, job.timeline.scale_at(updates)};
    };
    const std::uint64_t number = job.timeline.observation_after(g);
    if (job.contexts.publication() == nullptr) return job.recorder.observe(number, now, job.buffer);
    // A published vector is of the moment that it is taken at, however long its copy takes.
    const Moment taken = now();
    job.with_weights([&](const float* values) { job.recorder.observe(number, taken, values); });
}

} // namespace hogwild
