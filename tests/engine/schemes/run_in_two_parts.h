// A run in two parts, the second of which goes on from any snapshot of the first.
#pragma once

#include "engine/plan/plan.h"
#include "engine/run.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

namespace hogwild {

/// Keeps what it is shown, as a file would.
class Kept : public SnapshotSink {
public:
    explicit Kept(std::uint32_t columns) : columns_(columns) {}

    void taken(const Snapshot& snapshot, std::span<const double> losses) override {
        const std::lock_guard lock(mutex_);
        REQUIRE_FALSE(ended_);
        values_.emplace_back(snapshot.values, snapshot.values + columns_);
        snapshots_.push_back(snapshot);
        snapshots_.back().values = values_.back().data();
        losses_.emplace_back(losses.begin(), losses.end());
    }
    void ended() override { ended_ = true; }

    /// What was known after so many snapshots.
    Part part(std::size_t count) const { return {std::span(snapshots_).first(count), losses_[count - 1], columns_}; }
    const std::vector<Snapshot>& snapshots() const { return snapshots_; }
    bool has_ended() const { return ended_; }

private:
    std::uint32_t columns_;
    std::mutex mutex_;
    std::deque<std::vector<float>> values_;
    std::vector<Snapshot> snapshots_;
    std::vector<std::vector<double>> losses_;
    bool ended_ = false;
};

inline void check_that_every_part_ends_alike(const Plan& plan, const Dataset& data) {
    CAPTURE(plan.scheme);
    CAPTURE(plan.threads);
    CAPTURE(plan.step.kind);
    Kept kept(coordinates(data.view(), plan));
    const Outcome whole = run(plan, {.train = data, .sink = &kept});
    CHECK(kept.has_ended());
    REQUIRE(kept.snapshots().size() + 1 == whole.observations.size()); // the last is the result
    for (std::size_t count = 1; count <= kept.snapshots().size(); ++count) {
        CAPTURE(count);
        const Part before = kept.part(count);
        const Outcome rest = run(plan, {.train = data, .before = &before});
        CHECK(rest.weights == whole.weights);
        REQUIRE(rest.observations.size() == whole.observations.size());
        for (std::size_t i = 0; i < whole.observations.size(); ++i) {
            CHECK(rest.observations[i].updates == whole.observations[i].updates);
            CHECK(rest.observations[i].train_loss == whole.observations[i].train_loss);
            if (i < count) CHECK(rest.observations[i].seconds == whole.observations[i].seconds);
        }
        CHECK(rest.observations[count].seconds >= whole.observations[count - 1].seconds);
        CHECK(rest.updates == whole.updates);
        if (plan.scheme != "minibatch") CHECK(rest.rebases == whole.rebases);
    }
}

} // namespace hogwild
