// The pace that a CPU thread takes where GPU streams step, too.
//
// Streams step on positions far from a thread's chunk, and on many of them while it walks that one: so its step size and L2
// scale are those of the moment, which is how many samples all workers have consumed, and over the chunk the scale falls
// as fast as during the one before.
// Thread-safety: of one worker.
#pragma once

#include "engine/timeline.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

class Tempo {
public:
    struct Beat {
        Pace pace;                // at the chunk's first step
        std::uint32_t beside = 0; // samples that others consume during each of its steps
    };

    explicit Tempo(const Timeline& timeline) : timeline_(timeline) {}

    /// Of chunk g, when so many samples have been consumed. Expects no more of others than is left of the chunk's epoch or era.
    Beat beat(std::uint64_t g, std::uint64_t consumed) {
        const std::uint64_t now = std::max(before_, consumed); // a count may come late
        const std::uint64_t end = timeline_.samples_end(g), left = end > now ? end - now : 0;
        const std::uint64_t meanwhile = before_ == 0 ? 0 : std::min(now - before_, left);
        const std::uint64_t each = meanwhile / timeline_.positions(g).count;
        before_ = now;
        return {timeline_.pace_after(now), each > 1 ? static_cast<std::uint32_t>(each - 1) : 0};
    }

private:
    const Timeline& timeline_;
    std::uint64_t before_ = 0; // consumed by all when the chunk before began; 0: there was none
};

} // namespace hogwild
