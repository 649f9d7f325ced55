// Where a run begins: at its first sample, or where an earlier process left it.
#pragma once

#include "engine/schemes/scheme.h"

#include <cstdint>

namespace hogwild {

/// For schemes that walk chunks (engine/order/timeline.h).
struct FirstChunk {
    std::uint64_t chunk = 0;   // the first to walk; timeline.chunks(): none is left
    std::uint64_t walked = 0;  // the chunk of the last sample before: of its era is the buffer
    std::uint64_t updates = 0; // samples before `chunk`
};

/// The chunk that holds the sample after those of job.start_at. Where the buffer's scale is not the one that this chunk begins
/// with, their ratio is multiplied into it. The epochs up to there must have been prepared. Once a run, while nobody writes.
FirstChunk first_chunk(Job& job);

/// For schemes that ask the schedule itself: it decides as it did before job.start_at.
void decide_again(Job& job);

} // namespace hogwild
