#include "engine/schemes/walk/start.h"

namespace hogwild {

FirstChunk first_chunk(Job& job) {
    const Timeline& timeline = job.timeline;
    const std::uint64_t updates = job.start_at.updates;
    if (updates == 0) return {};
    const std::uint64_t chunk = timeline.chunk_of(updates);
    const FirstChunk first{chunk, timeline.chunk_of(updates - 1), timeline.updates_before(chunk)};
    const double wanted = first.updates < updates ? timeline.pace(chunk).scale : timeline.scale_at(updates);
    job.buffer.rescale(0, job.buffer.size(), static_cast<float>(job.start_at.scale / wanted));
    if (is_low_precision(job.buffer.kind())) job.buffer.upload();
    return first;
}

void decide_again(Job& job) {
    for (const double loss : job.start_at.losses) job.schedule.decide(loss);
}

} // namespace hogwild
