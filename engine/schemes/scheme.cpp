#include "engine/schemes/scheme.h"

#include "engine/schemes/all.h"

namespace hogwild {

std::unique_ptr<Scheme> make_scheme(std::string_view name) {
    if (name == "serial") return std::make_unique<Serial>();
    if (name == "hogwild") return std::make_unique<Hogwild>();
    if (name == "round-robin") return std::make_unique<RoundRobin>();
    if (name == "conflict-free") return std::make_unique<ConflictFree>();
    if (name == "minibatch") return std::make_unique<Minibatch>();
    if (name == "backup-workers") return std::make_unique<BackupWorkers>();
    if (name == "async-local-sgd") return std::make_unique<AsyncLocalSgd>();
    if (name == "cyclades") return std::make_unique<Cyclades>();
    if (name == "replicated") return std::make_unique<Replicated>();
    if (name == "hogwild++") return std::make_unique<HogwildPp>();
    if (name == "svrg") return std::make_unique<Svrg>();
    if (name == "saga") return std::make_unique<Saga>();
    if (name == "columns") return std::make_unique<Columns>();
    return std::make_unique<LocalSgd>();
}

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
