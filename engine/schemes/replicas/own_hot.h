// Workers with hot coordinates of their own. They step on views of the buffer where these are theirs
// (engine/memory/viewed_pages.h), so that steps are the same as on the buffer itself. engine/order/hot_ranges.h says
// which coordinates they are. engine/plan/hot_updates.h says how what workers do there reaches the shared coordinates.
//
// A worker hands over at the first chunk's end after every k samples. It does so too before it waits for others, and
// when it has stepped for the last time. Until then the buffer, which is what is observed, lacks what its workers have
// not handed over. One worker of `replicated` has nobody to exchange with, and steps on the buffer.
//
// Thread-safety: called by all workers at once, each with its own number; made while nobody steps.
#pragma once

#include "engine/memory/pages.h"
#include "engine/memory/viewed_pages.h"
#include "engine/schemes/replicas/shared_model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hogwild {

/// One worker's collected increments (kernels/exchange/collected.h).
class Collected {
public:
    /// `ranges` outlive it.
    Collected(float* shared, float* own, const std::vector<CoordinateRange>& ranges, std::uint64_t period);

    /// So many samples were stepped through: hands over if it is due.
    void stepped(std::uint32_t samples);

    void give_all();

private:
    float *shared_, *own_;
    const std::vector<CoordinateRange>& ranges_;
    PageArray<float> base_; // of one range after another
    std::uint64_t period_;
    std::uint64_t since_ = 0; // samples
};

class OwnHot {
public:
    /// Empty for a plan whose workers own none; none of the others is called then.
    explicit OwnHot(Job& job);

    bool any() const { return !workers_.empty(); }

    /// Once, before anybody steps, by the worker itself, so that its pages lie near it.
    void begin(unsigned worker);

    /// What it steps on.
    float* weights(unsigned worker);

    /// It has stepped through so many samples, with this step size.
    void stepped(unsigned worker, std::uint32_t samples, double step);

    /// It will wait for others, or goes on after they have changed the buffer: hands over everything, and reads the buffer.
    void give_all(unsigned worker, double step);

    /// One for each worker of `replicated`, while nobody steps; else empty.
    std::vector<ExchangeCounts> exchanges() const;

private:
    struct alignas(64) Worker {
        ViewedPages::View view;
        std::optional<Collected> collected;
        std::optional<Replica> replica;
    };

    Job& job_;
    std::vector<CoordinateRange> hot_;
    std::optional<SharedModel> model_; // of replicated
    std::vector<Worker> workers_;
};

} // namespace hogwild
