// The connected components of a batch's conflicts, shared out among workers. Two samples conflict where they touch a
// group of coordinates in common. Whatever a chain of conflicts joins is one worker's.
//
// Components are found by union-find over the samples: for each group the last sample that touched it is remembered.
// The components go, the costliest first, to the worker that has least to do at that time. This is greedy bin packing
// by groups touched: at most 4/3 of the best makespan. A worker's samples are listed in serial's order, so that steps
// that conflict are taken in that order, and steps of two workers commute.
//
// Thread-safety: a finder is its worker's; shares may be read by all while nobody finds into them.
// Source: Pan et al., "CYCLADES: Conflict-free Asynchronous Machine Learning", NIPS 2016; Graham, "Bounds on Multiprocessing Timing
// Anomalies", 1969, theorem 2.
#pragma once

#include "engine/order/order.h"
#include "kernels/views/any_view.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {

/// One worker's share: positions of an epoch, rising, and the samples there. Borrowed.
struct BatchShare {
    std::span<const std::uint32_t> positions, samples;
};

/// A batch, worker after worker.
class BatchShares {
public:
    BatchShares(std::uint32_t workers, std::uint32_t most) : begins_(workers + 1), positions_(most), samples_(most) {}

    std::uint32_t workers() const { return static_cast<std::uint32_t>(begins_.size()) - 1; }

    BatchShare of(std::uint32_t worker) const {
        const std::size_t begin = begins_[worker], count = begins_[worker + 1] - begin;
        return {std::span(positions_).subspan(begin, count), std::span(samples_).subspan(begin, count)};
    }

private:
    friend class ComponentFinder;

    std::vector<std::uint32_t> begins_, positions_, samples_;
};

class ComponentFinder {
public:
    /// `most`: samples of a batch.
    ComponentFinder(std::string_view order, const AnyView& data, std::uint64_t seed, std::uint32_t most);

    /// Shares out the epoch's samples at positions [first, first + count). No more than either side has room for.
    void find(std::uint32_t epoch, std::uint32_t first, std::uint32_t count, BatchShares& shares);

    /// For the batch found last: the first sample of the component of sample i; 0 <= i < count.
    std::uint32_t component(std::uint32_t i);

private:
    void join_all(std::uint32_t epoch);
    void pack(std::uint32_t workers);

    AnyView data_;
    std::uint64_t seed_;
    OrderCursor cursor_;
    std::vector<std::uint32_t> samples_;
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint64_t> costs_;  // of samples, then of components at their first sample
    std::vector<std::uint32_t> owners_; // of components at their first sample
    std::vector<std::uint32_t> roots_;  // components
    std::vector<std::pair<std::uint64_t, std::uint32_t>> loads_;
    std::vector<std::uint32_t>
        last_;                 // of groups: 1 + before_ + the last sample of this batch that touched it; less: none has
    std::uint32_t before_ = 0; // samples of batches before
};

} // namespace hogwild
