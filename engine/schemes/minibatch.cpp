// Synchronous minibatch SGD: w <- (1 - step lambda) w - step (1/B) sum of the batch's gradients.
//
// A batch has two phases, each ended by a spinning barrier. First every worker computes the gradients of its share of
// the samples. Then every worker applies the whole batch to the coordinates it owns, samples in order. There is no
// reduction buffer and no atomic. A coordinate has one writer and one order of terms, so the result has the same bits
// for any number of workers. A batch costs its nonzeros, never the dimension. Owners hold ranges of near-equal
// popularity. Samples that depend on their neighbours in the batch are shared out in runs that do not depend on the
// number of workers (kernels/steps/batch.h).
#include "engine/memory/pages.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/sync/meeting.h"
#include "engine/schemes/sync/popularity.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/start.h"

#include <algorithm>

namespace hogwild {
namespace {

/// What the workers of a run share.
struct Batch {
    std::vector<std::uint32_t> rows;
    std::vector<float> emitted;
    std::vector<std::uint32_t> cuts;
    std::vector<std::uint32_t> bounds;
    std::vector<PageArray<float>> scratch; // each worker's
    bool stop = false;                     // written by worker 0 before a barrier, read by all after it

    Batch(const Job& job, std::uint32_t size, unsigned workers)
        : rows(size),
          emitted(std::size_t{size} * job.kernels.emission(job.data)),
          cuts(std::size_t{size} * workers),
          bounds(popularity_bounds(job.data, workers)) {
        for (unsigned w = 0; w < workers; ++w) scratch.emplace_back(job.kernels.scratch(job.data));
    }
};

class BatchWorker {
public:
    BatchWorker(Job& job, Batch& batch, SpinBarrier& barrier, const std::vector<std::uint32_t>& watched,
                unsigned worker)
        : job_(job),
          batch_(batch),
          meeting_(job, barrier, worker),
          watched_(watched),
          worker_(worker),
          workers_(job.plan.threads),
          set_(static_cast<std::size_t>(job.lanes)),
          emission_(job.kernels.emission(job.data)),
          together_(job.kernels.together(job.data)),
          cursor_(job.plan.order, job.data, job.plan.seed),
          scale_(job.start_at.scale) {}

    void run() {
        const std::uint32_t rows = job_.timeline.rows();
        if (scale_ < kSmallestScale) rebase();
        auto first = static_cast<std::uint32_t>(job_.start_at.updates % rows);
        for (auto epoch = static_cast<std::uint32_t>(job_.start_at.updates / rows); epoch < job_.timeline.epochs();
             ++epoch, first = 0) {
            begin(epoch);
            while (first < rows) {
                const std::uint32_t count = std::min(job_.plan.batch.size, rows - first);
                if (!step(epoch, first, count)) return;
                first += count;
            }
        }
    }

    double scale() const { return scale_; }
    double waited() const { return meeting_.waited(); }
    std::uint64_t rebases() const { return rebases_; }

private:
    void begin(std::uint32_t epoch) {
        if (worker_ == 0) decide_step(job_, epoch, watched_, job_.buffer.data(), scale_);
        meeting_.wait();
    }

    /// One batch; false: the run is interrupted.
    bool step(std::uint32_t epoch, std::uint32_t first, std::uint32_t count) {
        const double size = job_.schedule.step(epoch, job_.timeline.within(first));
        emit(epoch, first, count);
        if (worker_ == 0) batch_.stop = job_.interrupted();
        meeting_.wait();
        if (batch_.stop) return false;
        scale_ *= 1.0 - size * lazy_l2(job_.plan);
        apply(count, size);
        meeting_.wait();
        // The others go on with the next batch's gradients, which write no weight; its update waits for this copy at the barrier.
        if (worker_ == 0) meeting_.observe(epoch, first, count, scale_, job_.buffer.data());
        if (scale_ < kSmallestScale) rebase();
        return true;
    }

    void emit(std::uint32_t epoch, std::uint32_t first, std::uint32_t count) {
        const std::uint32_t begin = share_begin(count, worker_), end = share_begin(count, worker_ + 1);
        fill(cursor_, epoch, first + begin, end - begin, batch_.rows.data() + begin);
        BatchEmit work;
        work.samples = batch_.rows.data() + begin;
        work.count = end - begin;
        work.weights = job_.buffer.data();
        work.scale = static_cast<float>(scale_);
        work.emitted = batch_.emitted.data() + std::size_t{begin} * emission_;
        work.owners = workers_;
        work.bounds = batch_.bounds.data();
        work.cuts = batch_.cuts.data() + std::size_t{begin} * workers_;
        work.epoch = epoch;
        work.seed = job_.plan.seed;
        work.scratch = batch_.scratch[worker_].data();
        job_.kernels.emit[set_](job_.data, work);
    }

    /// Where a worker's share of a batch begins: at a whole run of samples that belong together, whose last takes what remains.
    std::uint32_t share_begin(std::uint32_t count, unsigned worker) const {
        if (worker == workers_) return count;
        const std::uint64_t runs = std::max(count / together_, 1u);
        return static_cast<std::uint32_t>(runs * worker / workers_) * together_;
    }

    void apply(std::uint32_t count, double size) {
        BatchApply apply;
        apply.samples = batch_.rows.data();
        apply.count = count;
        apply.weights = job_.buffer.data();
        apply.optimizer = job_.contexts[0].optimizer;
        apply.number = ++batches_;
        apply.factor = static_cast<float>(apply.optimizer == nullptr ? -size / (count * scale_) : -size);
        apply.emitted = batch_.emitted.data();
        apply.owners = workers_;
        apply.owner = worker_;
        apply.bounds = batch_.bounds.data();
        apply.cuts = batch_.cuts.data();
        apply.scratch = batch_.scratch[worker_].data();
        job_.kernels.apply[set_](job_.data, apply);
    }

    void rebase() {
        meeting_.wait(); // worker 0 may still be copying
        const CoordinateRange range = slice(job_.buffer.size(), worker_, workers_);
        job_.buffer.rescale(range.begin, range.end, static_cast<float>(scale_));
        scale_ = 1.0;
        ++rebases_;
        meeting_.wait();
    }

    Job& job_;
    Batch& batch_;
    Meeting meeting_;
    const std::vector<std::uint32_t>& watched_;
    unsigned worker_;
    unsigned workers_;
    std::size_t set_;
    std::uint32_t emission_; // floats a sample
    std::uint32_t together_; // samples
    OrderCursor cursor_;
    double scale_; // the same in every worker: each computes it
    std::uint64_t rebases_ = 0;
    std::uint64_t batches_ = 0; // applied; the same in every worker
};

class Minibatch : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// What the workers' shares of a batch emit.
std::uint64_t emitted_bytes(const Plan& plan, const AnyView& data, const Kernels& kernels) {
    return device_traits(plan).gpu ? 0 : sizeof(float) * std::uint64_t{plan.batch.size} * kernels.emission(data);
}

} // namespace

double batch_cost(const Plan&, double threads) { return std::max(0.8, 2.0 / threads); }

SchemeTotals Minibatch::run(Job& job) {
    if (job.batches != nullptr) return run_on_gpu(job);
    SchemeTotals totals;
    const unsigned workers = job.plan.threads;
    Batch batch(job, std::min(job.plan.batch.size, job.timeline.rows()), workers);
    SpinBarrier barrier(workers, job.yields, &job.team.failed());
    const std::vector<std::uint32_t> watched = watched_rows(job, 4096);
    std::vector<double> waited(workers);
    decide_again(job);
    job.start();
    job.team.run([&](unsigned worker) {
        BatchWorker batch_worker(job, batch, barrier, watched, worker);
        batch_worker.run();
        waited[worker] = batch_worker.waited();
        if (worker == 0) {
            totals.final_scale = batch_worker.scale();
            totals.rebases = batch_worker.rebases();
        }
    });
    totals.wait_seconds = 0;
    for (const double seconds : waited) totals.wait_seconds += seconds / workers;
    return totals;
}

constinit const SchemeTraits kMinibatchScheme{
    .name = "minibatch",
    .about = "slopes of a batch, barrier, one update per coordinate by its owner, barrier",
    .kind = SchemeKind::kSync,
    .writers = Writers::kOwn,
    .steps_on = StepsOn::kBatches,
    .on_gpu = OnGpu::kBatches,
    .batches = true,
    .no_telemetry = kNoConcurrentWriters,
    .bytes = emitted_bytes,
    .cost = batch_cost,
    .make = make<Minibatch>,
};

} // namespace hogwild
