// Workers of corrected steps (kernels/variance_reduction.h): a model, what is remembered of its samples, and a walk over chunks that
// workers claim as under Hogwild.
//
// The model is the run's buffer: floats, or the doubles of host-fp64.
// Thread-safety: a model is shared by a crew's workers; a crew runs once.
#pragma once

#include "engine/data/statistics.h"
#include "engine/memory/pages.h"
#include "engine/schemes/all.h"
#include "engine/schemes/claims.h"
#include "engine/schemes/consumed.h"
#include "engine/schemes/corrected_kernels.h"
#include "engine/schemes/eras.h"
#include "engine/schemes/walker.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

namespace hogwild {

/// Calls f(Real{}) with the type of what steps are on.
template <class F>
decltype(auto) with_real_of(const ParameterBuffer& buffer, const F& f) {
    return buffer.doubles() != nullptr ? f(double{}) : f(float{});
}

template <class Real>
class CorrectedModel {
public:
    explicit CorrectedModel(Job& job)
        : slopes_(job.data.rows()),
          mean_(job.data.coordinates()),
          spread_(job.data.coordinates()),
          memory_{weights(job.buffer), slopes_.data(), mean_.data(),   spread_.data(),
                  job.plan.l2,         job.plan.l1,    job.data.rows()} {
        std::ranges::fill(slopes_.span(), Real(0)); // no page fault on the clock
        std::ranges::fill(mean_.span(), Real(0));
        const auto rows = static_cast<double>(job.data.rows());
        std::ranges::transform(group_counts(job.data), spread_.data(), [&](std::uint64_t count) {
            return count == 0 ? Real(0) : static_cast<Real>(rows / static_cast<double>(count));
        });
    }

    const Remembered<Real>& memory() const { return memory_; }

private:
    static Real* weights(const ParameterBuffer& buffer) {
        if constexpr (std::same_as<Real, double>)
            return buffer.doubles();
        else
            return buffer.data();
    }

    PageArray<Real> slopes_, mean_, spread_;
    Remembered<Real> memory_;
};

class CorrectedCrew {
public:
    explicit CorrectedCrew(Job& job)
        : job_(job), gate_(job), claims_(job.timeline), lines_(job.plan.threads), consumed_(lines_) {}

    /// Steps through the run's chunks by steps(chunk). Before each epoch's first one, and before epochs of which a worker has none,
    /// every worker calls begin(worker, epoch), in order; false: the run is interrupted.
    SchemeTotals run(const std::function<void(const Chunk&)>& steps,
                     const std::function<bool(unsigned, std::uint32_t)>& begin) {
        job_.start();
        job_.team.run([&](unsigned worker) { walk(worker, steps, begin); });
        SchemeTotals totals;
        totals.least_share = consumed_.least_share();
        return totals;
    }

private:
    void walk(unsigned worker, const std::function<void(const Chunk&)>& steps,
              const std::function<bool(unsigned, std::uint32_t)>& begin) {
        Walker walker(job_, steps);
        const Timeline& timeline = job_.timeline;
        const std::uint64_t chunks = timeline.chunks();
        std::uint32_t begun = 0;
        const auto begin_all = [&](std::uint32_t epochs) {
            while (begun < epochs) {
                if (!begin(worker, begun++)) return false;
            }
            return true;
        };
        const auto claim = [&] {
            const Stretch claimed = job_.interrupted() ? Stretch{} : claims_.stretch(1);
            if (claimed.empty()) return chunks;
            walker.queue(timeline.positions(claimed.begin));
            return claimed.begin;
        };
        for (std::uint64_t g = claim(), next; g < chunks; g = next) {
            next = claim();
            const Positions positions = timeline.positions(g);
            if (!begin_all(positions.epoch + 1) || !gate_.enter(positions.epoch)) return;
            walker.walk(timeline.pace(g));
            consumed_.add(worker, positions.count);
            observe(job_, g, [&] { return consumed_.total(); });
        }
        begin_all(timeline.epochs());
    }

    Job& job_;
    EpochGate gate_;
    Claims claims_;
    std::vector<PublishedCount> lines_;
    Consumed consumed_;
};

} // namespace hogwild
