// The next pieces of a run in serial's order, handed out as soon as no earlier piece that is not done touches what they touch.
//
//   stretch  the samples of one epoch, era and observation (engine/order/timeline.h)
//   window   up to 64 pieces (engine/schemes/conflicts/conflicts.h) of one stretch; the next stretch begins once all of this one are done
//
// Two pieces with a range in common are walked in serial's order, one after the other. Pieces without one commute,
// since no step of either reads what the other writes. So the weights are those of serial, bit for bit.
//
// A worker takes, of the pieces that are ready, one whose first range nobody else had last, if there is one. Then the
// coordinates of that range lie in its caches.
//
// Thread-safety: any worker at any time; a lock is held for the look, some hundred nanoseconds. Who is handed a piece sees what the
// workers of all pieces before it, with which it shares a range, wrote.
#pragma once

#include "engine/order/timeline.h"
#include "engine/schemes/conflicts/conflicts.h"
#include "kernels/worker_context.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace hogwild {

class ConflictWindow {
public:
    static constexpr std::uint32_t kAhead = 64; // pieces
    static constexpr std::uint64_t kMostSamples = std::uint64_t{kAhead} * Conflicts::kMostSamples;

    struct Piece {
        Positions positions{};
        std::uint32_t place = 0;

        bool empty() const { return positions.count == 0; }
    };

    /// From sample `first` of the run on, with which a chunk begins.
    ConflictWindow(const Timeline& timeline, Conflicts& conflicts, std::uint64_t first, bool yields);

    /// The first sample of the stretch that is handed out now; once all are done, how many the run has.
    std::uint64_t stretch() const { return stretch_.load(std::memory_order_acquire); }

    /// A piece of the stretch that begins with this sample, for this worker. Empty: none is ready, or the stretch has changed.
    Piece claim(std::uint64_t stretch, unsigned worker);

    /// The piece is walked; whether that was the last one of its stretch: the next stretch has begun.
    bool done(const Piece& piece);

private:
    static constexpr unsigned kNobody = ~0u;

    enum class State : std::uint32_t { kWaiting, kWalking, kDone };

    struct Entry {
        Positions positions{};
        State state = State::kDone;
        std::vector<std::uint32_t> touched; // ranges
    };

    std::uint64_t end_of(std::uint64_t stretch) const;
    void extend();
    bool is_free(const Entry& entry) const;
    void hold(const Entry& entry);
    bool is_anothers(const Entry& entry, unsigned worker) const;

    const Timeline& timeline_;
    Conflicts& conflicts_;
    const bool yields_;
    const std::uint64_t samples_; // of the run
    LockWord lock_{0};
    std::atomic<std::uint64_t> stretch_;
    std::uint64_t end_;       // of the stretch
    std::uint64_t next_;      // the first sample that is in no piece yet
    std::uint64_t first_ = 0; // pieces [first_, last_) are in the window, piece i at i % kAhead
    std::uint64_t last_ = 0;
    std::array<Entry, kAhead> entries_;
    std::vector<unsigned> last_worker_; // for each range, who stepped on it last; kNobody
    std::vector<std::uint64_t> held_;   // for each range, the look at which an earlier piece was found to hold it
    std::uint64_t look_ = 0;
};

} // namespace hogwild
