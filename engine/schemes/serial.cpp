// Serial SGD: the reference of every test and the yardstick of every speed-up.
#include "engine/schemes/all.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/eras.h"
#include "engine/schemes/walk/start.h"
#include "engine/schemes/walk/walker.h"

namespace hogwild {
namespace {

class Serial : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

} // namespace

SchemeTotals Serial::run(Job& job) {
    SchemeTotals totals;
    EpochGate gate(job);
    const FirstChunk first = first_chunk(job);
    Eras eras(job, 1, first.walked);
    job.start();
    job.team.run([&](unsigned) {
        Walker walker(job, steps_on_buffer(job, Racy::name, NoGuard::name, job.contexts[0]));
        Eras::Visitor era(eras, 0);
        const std::uint64_t chunks = job.timeline.chunks();
        if (first.chunk < chunks) walker.queue(job.timeline.positions(first.chunk));
        for (std::uint64_t g = first.chunk; g < chunks && !job.interrupted(); ++g) {
            if (g + 1 < chunks) walker.queue(job.timeline.positions(g + 1));
            era.reach(job.timeline.epoch_start(g));
            if (!gate.enter(job.timeline.positions(g).epoch)) break;
            era.reach(g);
            walker.walk(job.timeline.pace(g));
            observe(job, g, [&] { return job.timeline.updates_after(g); });
        }
        totals.rebases = era.passed();
    });
    totals.final_scale = job.timeline.scale_after(job.timeline.chunks() - 1);
    return totals;
}

constinit const SchemeTraits kSerialScheme{
    .name = "serial",
    .about = "one worker, chunk after chunk: the yardstick",
    .kind = SchemeKind::kSerial,
    .writers = Writers::kOne,
    .short_numbers = true,
    .make = make<Serial>,
};

} // namespace hogwild
