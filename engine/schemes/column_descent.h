// Coordinate descent by workers that claim coordinates and wait for nobody, on one model and its samples' margins
// (kernels/steps/column_steps.h).
//
// An epoch is every coordinate once, in an order of the plan's kind, and so each nonzero once, as where rows are
// stepped on. It counts as n updates, one a sample. The chunk of the positions [a, b) of n (engine/order/timeline.h)
// holds the coordinates at positions [a d / n, b d / n) of d. So observations, targets, step sizes and progress are
// what they are to other schemes, and all schemes' updates per second compare.
//
// Several workers whose margins are racy lose increments of some. Whoever has walked a chunk then computes the margins
// of samples [a, b) anew. That is all of them once an epoch, so that what was lost when steps were large does not stay.
// Where nothing is lost, margins are off by roundings alone, and nothing is computed anew.
//
// Thread-safety: made and looked at while nobody steps; `run` once.
#pragma once

#include "engine/data/sparse/transpose.h"
#include "engine/memory/pages.h"
#include "engine/plan/plan.h"
#include "engine/schemes/kernels/column_kernels.h"
#include "engine/schemes/kernels/real_of.h"
#include "engine/schemes/walk/claim_crew.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace hogwild {

template <class Real>
class ColumnDescent {
public:
    explicit ColumnDescent(Job& job)
        : job_(job),
          samples_(job.data.as<SparseView>()),
          turned_(transposed(samples_)),
          columns_(turned_->view()),
          margins_(samples_.rows),
          model_{weights_of<Real>(job.buffer), margins_.data(), samples_.labels, job.plan.l2, samples_.rows} {
        std::ranges::fill(margins_.span(), Real(0)); // of weights that are 0; and no page fault on the clock
        const ColumnKernels<Real>& kernels = column_kernels<Real>(job.plan.problem);
        const auto lanes = static_cast<std::size_t>(job.lanes);
        const bool racy = update_traits(job.plan.update).overwrites();
        steps_ = (racy ? kernels.racy : kernels.atomic)[lanes];
        if (racy && job.plan.threads > 1) refresh_ = kernels.refresh[lanes];
    }

    SchemeTotals run() {
        return ClaimCrew(job_).run([this] { return Walker(*this); }, [](unsigned, std::uint32_t) { return true; });
    }

    const ColumnModel<Real>& model() const { return model_; }

private:
    class Walker {
    public:
        explicit Walker(const ColumnDescent& all)
            : all_(all), cursor_(single_order(all.job_.plan.order, all.samples_.columns, all.job_.plan.seed)) {}

        void queue(const Positions& positions) { queued_[count_++] = positions; }

        void walk(const Pace& pace) {
            const Positions at = queued_[0];
            queued_[0] = queued_[1];
            --count_;
            const std::uint32_t first = all_.columns_before(at.first);
            const std::uint32_t count = all_.columns_before(at.first + at.count) - first;
            coordinates_.resize(count);
            fill(cursor_, at.epoch, first, count, coordinates_.data());
            Chunk chunk{};
            chunk.samples = coordinates_.data();
            chunk.count = count;
            chunk.step = pace.step;
            if (count > 0) all_.steps_(all_.columns_, chunk, all_.model_);
            if (all_.refresh_ != nullptr)
                all_.refresh_(all_.samples_, at.first, std::uint64_t{at.first} + at.count, all_.model_);
        }

    private:
        const ColumnDescent& all_;
        OrderCursor cursor_;
        std::array<Positions, 2> queued_;
        std::uint32_t count_ = 0; // of them
        std::vector<std::uint32_t> coordinates_;
    };

    /// Coordinates that an epoch's positions before this one hold.
    std::uint32_t columns_before(std::uint64_t position) const {
        return static_cast<std::uint32_t>(position * samples_.columns / samples_.rows);
    }

    Job& job_;
    SparseView samples_;
    std::unique_ptr<SparseArrays> turned_;
    SparseView columns_;
    PageArray<Real> margins_;
    ColumnModel<Real> model_;
    typename ColumnKernels<Real>::Steps steps_ = nullptr;
    typename ColumnKernels<Real>::Refresh refresh_ = nullptr; // null: nothing is lost
};

} // namespace hogwild
