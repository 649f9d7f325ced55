// Consistent publication. A step reads a published vector of all weights, which never changes. Its increments come into
// being together, by a new vector that takes the place of the newest one.
//
//   read     w <- the newest published vector
//   write    d <- the step's increments, at w
//   publish  v <- the newest vector; u <- v + d; if v is still the newest, u becomes it (compare and swap); else again
// After WorkerContext::cas_limit failures d is dropped, and the step counted (steps_dropped). Nothing else is lost.
// Increments that touch every weight are kept in a vector of the worker's own. Those that a step can write again
// (kernels/steps/steps.h) it writes into u, try after try.
// Vectors: kernels/exchange/publication.h, 2 M + 1 for M workers, and each worker's increments. Cost: a few passes over all weights
// a step, one at least, so it is for steps that touch them all, or for few weights.
// Source: Baeckstroem, Papatriantafilou, Tsigas 2021, whose persistence bound T allows T + 1 tries.
#pragma once

#include "kernels/exchange/publication.h"
#include "kernels/updates/guards/traits.h"
#include "kernels/updates/racy.h"
#include "kernels/worker_context.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace hogwild {

class Publish {
public:
    static constexpr std::string_view name = "publish";
    static constexpr GuardTraits kTraits{.publishes = true};

    explicit Publish(WorkerContext& context) : context_(context), vectors_(context.publication) {}
    ~Publish() {
        if (claimed_.values != nullptr) vectors_.release(claimed_);
    }
    Publish(const Publish&) = delete;
    Publish& operator=(const Publish&) = delete;

    void before_read(const auto&) { read_ = vectors_.take(); }
    void before_write(const auto&) {}
    void after_write(const auto&) {}
    void nothing_to_write(const auto&) { vectors_.release(read_); }

    /// What the step reads.
    float* weights() const { return read_.values; }

    /// Whether the step's increments are published.
    template <class Lanes, class Step>
    bool write(Step&& step, const auto& sample) {
        constexpr bool kAgain = requires { requires std::remove_cvref_t<Step>::kWritesAgain; };
        float* const increments = context_.increments.data();
        const std::uint32_t size = vectors_.size();
        if constexpr (!kAgain) {
            std::fill_n(increments, size, 0.0f);
            step.write(Apart{read_.values, increments}, sample);
        }
        vectors_.release(read_);
        if (claimed_.values == nullptr) claimed_ = vectors_.claim(2 * context_.worker + 1);
        for (std::uint32_t tries = 0; tries < context_.cas_limit; ++tries) {
            const HeldVector newest = vectors_.take();
            Lanes::copy_row(claimed_.values, newest.values, size);
            if constexpr (kAgain) {
                step.use(claimed_.values);
                step.write(Racy(), sample);
            } else {
                Lanes::add_dense(claimed_.values, increments, size, 1.0f);
            }
            const bool published = vectors_.publish(claimed_, newest);
            vectors_.release(newest);
            if (!published) continue;
            claimed_ = {};
            return true;
        }
        ++context_.steps_dropped;
        return false;
    }

private:
    /// An update policy that adds to the increments of a coordinate what was meant for the coordinate.
    struct Apart {
        const float* weights;
        float* increments;

        template <class Lanes>
        void add_dense(const float* at, const float* row, std::uint32_t size, float scale) const {
            Lanes::add_dense(increments + (at - weights), row, size, scale);
        }
    };

    WorkerContext& context_;
    const Publication& vectors_;
    HeldVector read_;
    HeldVector claimed_; // to be written by the next step; no values: none
};

} // namespace hogwild
