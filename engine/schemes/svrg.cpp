// Sparse SVRG on one shared buffer (KroMagnon). An epoch begins with the gradient at its anchor, the weights as they
// are then. Its steps go by a sample's slope less that at the anchor (kernels/steps/variance_reduction.h).
//
// The anchor's gradient is computed side by side. Each worker takes a share of the samples and sums them for itself. A
// part of the coordinates is then summed over workers, in their order. Workers meet before, between and behind these
// two; within the pass of steps that follows they claim chunks and wait for nobody. So the sums are the same for a
// given number of workers.
//
// An update is a step. An epoch takes n of them and computes 2 n slopes, n at the anchor, where slopes are kept; the clock holds both.
// Source: Mania, Pan, Papailiopoulos, Recht, Ramchandran, Jordan, "Perturbed iterate analysis for asynchronous stochastic
// optimization", SIAM J. Optim. 2017; Johnson and Zhang, NIPS 2013.
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/kernels/corrected_kernels.h"
#include "engine/schemes/kernels/corrected_model.h"
#include "engine/schemes/kernels/real_of.h"
#include "engine/schemes/sync/meeting.h"
#include "engine/schemes/walk/claim_crew.h"
#include "engine/schemes/walk/walker.h"

#include <optional>

namespace hogwild {
namespace {

template <class Real>
class Anchor {
public:
    explicit Anchor(Job& job)
        : job_(job),
          model_(job),
          kernels_(corrected_kernels<Real>(job.plan.problem)),
          barrier_(job.plan.threads, job.yields, &job.team.failed()),
          workers_(job.plan.threads) {
        job.team.run([&](unsigned worker) { // each worker's sums near it
            workers_[worker].sums = PageArray<Real>(job.data.coordinates());
            std::ranges::fill(workers_[worker].sums.span(), Real(0));
            workers_[worker].meeting.emplace(job, barrier_, worker);
        });
    }

    const Remembered<Real>& memory() const { return model_.memory(); }
    typename CorrectedKernels<Real>::Steps steps() const {
        return kernels_.at_anchor[static_cast<std::size_t>(job_.lanes)];
    }

    /// All workers together. False: the run is interrupted.
    bool pass(unsigned worker) {
        Meeting& meeting = *workers_[worker].meeting;
        if (worker == 0) stop_ = job_.interrupted();
        meeting.wait();
        if (stop_) return false;
        const std::uint64_t rows = job_.data.rows(), workers = job_.plan.threads;
        kernels_.remember[static_cast<std::size_t>(job_.lanes)](job_.data.as<SparseView>(), rows * worker / workers,
                                                                rows * (worker + 1) / workers, memory(),
                                                                workers_[worker].sums.data());
        meeting.wait();
        take_mean(slice(job_.data.coordinates(), worker, job_.plan.threads));
        meeting.wait();
        return true;
    }

    double waited() const {
        double sum = 0;
        for (const Worker& worker : workers_) sum += worker.meeting->waited();
        return sum / job_.plan.threads;
    }

private:
    struct Worker {
        PageArray<Real> sums;
        std::optional<Meeting> meeting;
    };

    void take_mean(const CoordinateRange& range) {
        const Real share = static_cast<Real>(1.0 / static_cast<double>(job_.data.rows()));
        for (std::uint32_t j = range.begin; j < range.end; ++j) {
            Real sum = 0;
            for (Worker& worker : workers_) {
                sum += worker.sums.data()[j];
                worker.sums.data()[j] = 0;
            }
            relaxed_store(memory().mean[j], sum * share);
        }
    }

    Job& job_;
    CorrectedModel<Real> model_;
    const CorrectedKernels<Real>& kernels_;
    SpinBarrier barrier_;
    std::vector<Worker> workers_;
    bool stop_ = false; // written by worker 0 before the barrier, read by all after it
};

class Svrg : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

std::uint64_t models(const Plan& plan) { return 3 + plan.threads; }

/// With the pass of its anchor.
double cost(const Plan&, double threads) { return threads > 1 ? 5 + kStepCost / threads : 2 * kStepCost; }

} // namespace

SchemeTotals Svrg::run(Job& job) {
    return with_real_of(job.buffer, [&]<class Real>(Real) {
        Anchor<Real> anchor(job);
        const auto& data = job.data.as<SparseView>();
        const auto walker = [&, steps = anchor.steps()] {
            return Walker(job, [&, steps](const Chunk& chunk) { steps(data, chunk, anchor.memory()); });
        };
        SchemeTotals totals =
            ClaimCrew(job).run(walker, [&](unsigned worker, std::uint32_t) { return anchor.pass(worker); });
        totals.wait_seconds = anchor.waited();
        return totals;
    });
}

constinit const SchemeTraits kSvrgScheme{
    .name = "svrg",
    .about = "steps on the one buffer, less their noise at an anchor that all workers pass once an epoch",
    .kind = SchemeKind::kSync, // at each anchor
    .writers = Writers::kRacing,
    .steps_on = StepsOn::kSlopes,
    .no_telemetry = kNoProbes,
    .lacks = remembered_slopes,
    .models = models,
    .cost = cost,
    .make = make<Svrg>,
};

} // namespace hogwild
