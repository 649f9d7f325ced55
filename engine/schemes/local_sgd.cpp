// Local SGD: every worker steps on a model of its own, and after k samples each all models are set to their average.
//
// A round ends behind a spinning barrier. Each worker averages its slice of the coordinates over all models, in the
// order of the workers, and writes it to all of them. For a given number of workers the result is deterministic. With k
// = 0 workers meet once an epoch (Zinkevich et al. 2010: one average at the end, when the run is one epoch).
// A worker's own steps shrink its own model, so a round's scale starts at 1 and its average is taken of scale x model.
// Source: Zinkevich, Weimer, Smola, Li, NIPS 2010; Stich, "Local SGD converges fast and communicates little", ICLR 2019.
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/schemes/all.h"
#include "engine/schemes/sync/meeting.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/start.h"
#include "engine/schemes/walk/walker.h"
#include "kernels/numbers/power.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr double kSmallestOwnScale = 0x1p-32; // looked at every 256 steps, which take off at most another 2^-60

class LocalWorker {
public:
    LocalWorker(Job& job, const std::vector<float*>& models, SpinBarrier& barrier, bool& stop,
                const std::vector<std::uint32_t>& watched, std::vector<double>& scales, unsigned worker)
        : job_(job),
          models_(models),
          meeting_(job, barrier, worker),
          stop_(stop),
          watched_(watched),
          scales_(scales),
          worker_(worker),
          workers_(job.plan.threads),
          walker_(job, steps_kernel(job, Racy::name, NoGuard::name, job.plan.telemetry), job.contexts[worker]) {
        walker_.use(models[worker]);
    }

    void run() {
        const std::uint64_t rows = job_.timeline.rows();
        const std::uint64_t round =
            job_.plan.exchange.period == 0
                ? rows
                : std::min<std::uint64_t>(rows, std::uint64_t{job_.plan.exchange.period} * workers_);
        std::uint64_t first = job_.start_at.updates % rows;
        for (auto epoch = static_cast<std::uint32_t>(job_.start_at.updates / rows); epoch < job_.timeline.epochs();
             ++epoch, first = 0) {
            if (worker_ == 0) decide_step(job_, epoch, watched_, models_[0], 1.0);
            meeting_.wait();
            for (; first < rows; first += round) {
                const std::uint64_t count = std::min(round, rows - first);
                step_through(epoch, first + count * worker_ / workers_, first + count * (worker_ + 1) / workers_);
                if (worker_ == 0) stop_ = job_.interrupted();
                meeting_.wait();
                if (stop_) return;
                average();
                meeting_.wait();
                if (worker_ == 0) meeting_.observe(epoch, first, count, 1.0, models_[0]); // the others go on
            }
        }
    }

    double waited() const { return meeting_.waited(); }

private:
    void step_through(std::uint32_t epoch, std::uint64_t begin, std::uint64_t end) {
        const std::uint32_t cell = problem_traits(job_.plan).takes_batches ? job_.timeline.chunk() : Timeline::kCell;
        const auto cell_end = [&](std::uint64_t first) { return std::min(end, (first / cell + 1) * cell); };
        const auto positions = [&](std::uint64_t first) {
            return Positions{epoch, static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(cell_end(first) - first)};
        };
        double scale = 1.0;
        if (begin < end) walker_.queue(positions(begin));
        for (std::uint64_t first = begin; first < end; first = cell_end(first)) {
            if (cell_end(first) < end) walker_.queue(positions(cell_end(first)));
            const double step = job_.schedule.step(epoch, job_.timeline.within(first));
            const double decay = 1.0 - step * lazy_l2(job_.plan);
            walker_.walk({step, decay, scale});
            scale *= power(decay, positions(first).count);
            if (scale < kSmallestOwnScale) {
                for (std::uint32_t j = 0; j < job_.buffer.size(); ++j) models_[worker_][j] *= static_cast<float>(scale);
                scale = 1.0;
            }
        }
        scales_[worker_] = scale;
    }

    void average() {
        const CoordinateRange range = slice(job_.buffer.size(), worker_, workers_);
        constexpr std::uint32_t kBlock = 256;
        for (std::uint32_t begin = range.begin; begin < range.end; begin += kBlock) {
            const std::uint32_t size = std::min(kBlock, range.end - begin);
            float sum[kBlock] = {};
            for (unsigned w = 0; w < workers_; ++w) {
                const auto share = static_cast<float>(scales_[w] / workers_);
                const float* model = models_[w] + begin;
                for (std::uint32_t j = 0; j < size; ++j) sum[j] += share * model[j];
            }
            for (unsigned w = 0; w < workers_; ++w) std::copy_n(sum, size, models_[w] + begin);
        }
    }

    Job& job_;
    const std::vector<float*>& models_;
    Meeting meeting_;
    bool& stop_; // written by worker 0 before a barrier, read by all after it
    const std::vector<std::uint32_t>& watched_;
    std::vector<double>& scales_;
    unsigned worker_;
    unsigned workers_;
    Walker walker_;
};

class LocalSgd : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

std::uint64_t models(const Plan& plan) { return plan.threads; }

} // namespace

SchemeTotals LocalSgd::run(Job& job) {
    SchemeTotals totals;
    const unsigned workers = job.plan.threads;
    std::vector<PageArray<float>> own(workers - 1);
    std::vector<float*> models{job.buffer.data()}; // worker 0's model is the shared buffer: it ends with the average
    for (PageArray<float>& model : own) {
        model = PageArray<float>(job.buffer.size());
        models.push_back(model.data());
    }
    SpinBarrier barrier(workers, job.yields, &job.team.failed());
    const std::vector<std::uint32_t> watched = watched_rows(job, 4096);
    std::vector<double> waited(workers);
    std::vector<double> scales(workers);
    bool stop = false;
    decide_again(job);
    job.team.run([&](unsigned worker) { // no page fault on the clock, and each model on its worker's node
        if (worker > 0) std::copy_n(job.buffer.data(), job.buffer.size(), models[worker]);
    });
    job.start();
    job.team.run([&](unsigned worker) {
        LocalWorker local(job, models, barrier, stop, watched, scales, worker);
        local.run();
        waited[worker] = local.waited();
    });
    totals.wait_seconds = 0;
    for (const double seconds : waited) totals.wait_seconds += seconds / workers;
    return totals;
}

constinit const SchemeTraits kLocalSgdScheme{
    .name = "local-sgd",
    .about = "a model per worker, averaged behind a barrier every k samples",
    .kind = SchemeKind::kSync,
    .writers = Writers::kOwn,
    .replicas = Replication::kPerWorker,
    .merging = Merging::kAverages,
    .no_telemetry = kNoConcurrentWriters,
    .models = models,
    .cost = own_model_cost,
    .make = make<LocalSgd>,
};

} // namespace hogwild
