// The pace that a CPU thread takes where GPU streams step, too.
//
// Streams step on positions far from a thread's chunk, and on many of them while it walks that one. So its step size
// and L2 scale are those of the weights' moment, which is how many samples they hold. It looks at that before every
// chunk. Between two looks the scale falls as fast as it did lately, by the slower of the last two intervals. Who takes
// the scale for smaller than it is adds too much, without bound. Who takes it for larger adds too little.
// Thread-safety: of one worker.
#pragma once

#include "engine/order/timeline.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

class BesideGpuPace {
public:
    struct Beat {
        Pace pace;                // at the first of the steps
        std::uint32_t beside = 0; // samples that others consume during each of them
    };

    explicit BesideGpuPace(const Timeline& timeline) : timeline_(timeline) {}

    /// The beat of the next `steps` steps, when the weights hold so many samples. Nobody will have consumed more than
    // `end`.
    Beat beat(std::uint64_t end, std::uint32_t steps, std::uint64_t consumed) {
        const std::uint64_t now = std::max(before_, consumed); // a count may come late
        const std::uint64_t left = end > now ? end - now : 0;
        const std::uint64_t lately = started_ ? now - before_ : 0;
        const std::uint64_t each = std::min({lately, earlier_, left}) / steps;
        earlier_ = lately;
        before_ = now;
        started_ = true;
        return {timeline_.pace_after(now), each > 1 ? static_cast<std::uint32_t>(each - 1) : 0};
    }

    /// The worker has waited: how fast others were meanwhile says nothing of how fast they will be.
    void restart() {
        started_ = false;
        earlier_ = 0;
    }

private:
    const Timeline& timeline_;
    bool started_ = false;      // there was a look
    std::uint64_t before_ = 0;  // consumed by all at the last look
    std::uint64_t earlier_ = 0; // consumed by all between the last two looks
};

} // namespace hogwild
