// The model that workers with replicas exchange increments with. It is cut into segments of whole cache lines, each
// under a lock of its own. The rarer a segment's coordinates are, the more seldom it is exchanged.
//
// A segment is due once its worker has stepped through `exchange` samples times 2^k. Its k says that its coordinates
// occur 4^k times less often than the hottest ones; it is `exchange_doublings` at most. So a few hot lines travel
// often, and the many others seldom. The period goes by a square root. A segment's exchange costs the same however rare
// its coordinates are, and what a delay costs falls with their rarity. The least of c / period + d x rarity x period is
// where the period is one over the root of the rarity. A segment that another worker holds is put off to the next
// chunk's end: no worker waits for another, except `give_all`.
//
// engine/schemes/replicas/coordinate_use.h says how often coordinates occur and how steep losses are along them. Every
// step on a network touches all weights, so all its segments have one period.
//
// Thread-safety: SharedModel is const once made, but for its locks; a Replica is its worker's.
#pragma once

#include "engine/memory/pages.h"
#include "engine/record/outcome.h"
#include "engine/schemes/scheme.h"
#include "kernels/exchange/replica_exchange.h"
#include "kernels/worker_context.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class SharedModel {
public:
    struct Segment {
        std::uint32_t begin, end; // coordinates
        std::uint32_t at;         // lines of the segments before
        std::uint64_t period;     // samples of a worker between two exchanges
    };

    explicit SharedModel(Job& job) : SharedModel(job, {{0, job.buffer.size()}}) {}

    /// `ranges` begin on cache lines.
    SharedModel(Job& job, const std::vector<CoordinateRange>& ranges);

    const std::vector<Segment>& segments() const { return segments_; }

    /// Whoever holds a segment exchanges it. False: another does.
    bool try_hold(std::size_t segment) const;
    void release(std::size_t segment) const;

private:
    friend class Replica;

    struct alignas(64) Lock {
        LockWord word{0};
    };

    /// Segments that are due together.
    struct Band {
        std::uint64_t period;
        std::vector<std::uint32_t> segments;
    };

    void rarer(const std::vector<float>& touched);
    std::vector<Band> bands() const;

    Job& job_;
    std::vector<Segment> segments_;
    std::vector<Band> bands_;
    std::uint32_t lines_ = 0;       // of all segments
    std::vector<float> curvatures_; // of these: the largest of their coordinates, times the plan's coupling
    bool over_step_ = false;        // curvatures are over the step size
    SequentialShare shares_;
    double steps_; // that a sample is part of: 1, of a batch one over its size
    mutable std::vector<Lock> locks_;
};

class Replica {
public:
    Replica(const SharedModel& model, unsigned worker);

    /// `weights`: whole cache lines that somebody else owns, at the coordinates' own places.
    Replica(const SharedModel& model, unsigned worker, float* weights);

    float* weights() { return lines_.own; }

    /// Becomes the shared model. While nobody steps, by the worker itself, so that its pages lie near it.
    void begin();

    /// So many samples were stepped through, with this step size: exchanges what is due.
    void stepped(std::uint32_t samples, double step);

    /// Its share of a pass is through: exchanges everything, what others hold when they let go of it.
    void passed(double step);

    /// Exchanges everything, and waits for whoever holds a segment. After that the shared model holds all of this worker's
    /// increments, and the replica is what the shared model was.
    void give_all(double step);

    /// Counts all calls but `give_all`, which puts nothing off.
    const ExchangeCounts& counts() const { return counts_; }

private:
    class Coming;

    void schedule();
    void exchange(std::uint32_t s, double step);
    void prefetch(std::uint32_t s) const;

    const SharedModel& model_;
    const unsigned worker_;
    PageArray<float> own_, base_;
    ReplicaExchange lines_;
    std::uint64_t samples_ = 0;        // stepped through
    std::vector<std::uint64_t> last_;  // of each segment: samples at its last exchange
    std::vector<std::uint64_t> due_;   // of each band: samples at its next exchange
    std::uint64_t soonest_ = 0;        // nothing is due before so many samples
    std::vector<std::uint32_t> late_;  // segments that others held when they were due
    std::vector<std::uint32_t> again_; // those of them that are tried again now; empty between calls
    ExchangeCounts counts_;
};

} // namespace hogwild
