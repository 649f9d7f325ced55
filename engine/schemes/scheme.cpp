#include "engine/schemes/scheme.h"

#include "engine/schemes/all.h"

namespace hogwild {

std::unique_ptr<Scheme> make_scheme(std::string_view name) {
    if (name == "serial") return std::make_unique<Serial>();
    if (name == "hogwild") return std::make_unique<Hogwild>();
    if (name == "round-robin") return std::make_unique<RoundRobin>();
    if (name == "minibatch") return std::make_unique<Minibatch>();
    return std::make_unique<LocalSgd>();
}

void observe(Job& job, std::uint64_t g) {
    if (job.interrupted())
        return; // others may have stopped before their chunks, or an era may have ended for some only
    const std::uint64_t updates = job.timeline.updates_after(g);
    job.report(updates);
    const std::uint64_t number = job.timeline.observation_after(g);
    if (number == 0 || number == job.timeline.observations()) return; // the last is taken after the join
    job.recorder.observe(number, updates, job.timeline.scale_after(g), job.buffer.data());
}

} // namespace hogwild
