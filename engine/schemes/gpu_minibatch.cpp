// Synchronous minibatch SGD whose batches a GPU takes: the same steps as minibatch.cpp, sums in integers.
//
// The thread here only feeds the device. It gives it the step sizes and scales of an epoch, then batches, as many at a
// time as lie between two observations. Nothing waits for the device but the end of an epoch.
#include "engine/plan/choices.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/walk/epoch_gate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace hogwild {
namespace {

constexpr std::uint32_t kMostAtOnce = 1024; // batches: a graph of more takes long to make

/// Batches of the run that so many samples make.
std::uint64_t batches_of(std::uint64_t updates, std::uint32_t rows, std::uint32_t size) {
    const std::uint64_t per_epoch = (std::uint64_t{rows} + size - 1) / size;
    return updates / rows * per_epoch + (updates % rows + size - 1) / size;
}

class Feeder {
public:
    explicit Feeder(Job& job)
        : job_(job),
          gpu_(*job.batches),
          rows_(job.timeline.rows()),
          size_(std::min(job.plan.batch.size, rows_)),
          per_epoch_(static_cast<std::uint32_t>((std::uint64_t{rows_} + size_ - 1) / size_)),
          watched_(watched_rows(job, 4096)) {}

    SchemeTotals run() {
        for (std::uint32_t batch = 0; batch < per_epoch_;) {
            const std::uint32_t end = due_end(batch);
            prepare(end - batch);
            batch = end;
        }
        for (std::uint32_t count = 1; lazy_l2(job_.plan) > 0 && count <= kMostAtOnce; count *= 2)
            prepare(count); // around rebases
        job_.start();
        for (std::uint32_t epoch = 0; epoch < job_.timeline.epochs() && !job_.interrupted(); ++epoch) {
            begin(epoch);
            for (std::uint32_t batch = 0; batch < per_epoch_ && !job_.interrupted();) batch = feed(epoch, batch);
        }
        gpu_.finish();
        totals_.scale_at = [scales = scales_, rows = rows_, size = size_](std::uint64_t updates) {
            return scales[batches_of(updates, rows, size) - 1];
        };
        totals_.final_scale = scale_;
        totals_.wait_seconds = kNone;
        return totals_;
    }

private:
    void begin(std::uint32_t epoch) {
        gpu_.finish();
        if (!job_.schedule.known()) job_.buffer.download();
        decide_step(job_, epoch, watched_, job_.buffer.data(), scale_);
        std::vector<BatchPace> paces(per_epoch_);
        rebases_.clear();
        for (std::uint32_t b = 0; b < per_epoch_; ++b) {
            if (scale_ < kSmallestScale) {
                rebases_[b] = scale_;
                scale_ = 1;
            }
            const std::uint32_t first = b * size_, count = std::min(size_, rows_ - first);
            const double step = job_.schedule.step(epoch, job_.timeline.within(first));
            paces[b].scale = static_cast<float>(scale_);
            scale_ *= 1.0 - step * lazy_l2(job_.plan);
            paces[b].factor = static_cast<float>(is_plain_sgd(job_.plan) ? -step / (count * scale_) : -step);
            scales_.push_back(scale_);
        }
        gpu_.begin_epoch(paces);
    }

    /// Observations of an epoch that are due when so many of its batches are done.
    std::uint64_t observed(std::uint32_t batches) const {
        return std::min<std::uint64_t>(rows_, std::uint64_t{batches} * size_) * job_.plan.observations_per_epoch /
               rows_;
    }

    void prepare(std::uint32_t count) {
        if (prepared_.insert(count).second) gpu_.prepare(count);
    }

    /// One past the batches from `batch` on that are given at once. They go up to the next observation or rebase, in
    /// one of the numbers that were prepared.
    std::uint32_t feed_end(std::uint32_t batch) const {
        const std::uint32_t count = due_end(batch) - batch;
        return batch + (prepared_.contains(count) ? count : std::bit_floor(count));
    }

    std::uint32_t due_end(std::uint32_t batch) const {
        std::uint32_t end = batch + 1;
        while (end < per_epoch_ && end - batch < kMostAtOnce && observed(end) == observed(batch) &&
               !rebases_.contains(end)) {
            ++end;
        }
        return end;
    }

    /// Gives the device the next batches; the batch after them.
    std::uint32_t feed(std::uint32_t epoch, std::uint32_t batch) {
        if (const auto rebase = rebases_.find(batch); rebase != rebases_.end()) {
            gpu_.rescale(static_cast<float>(rebase->second));
            ++totals_.rebases;
        }
        const std::uint32_t end = feed_end(batch);
        const std::uint64_t number = std::uint64_t{epoch} * job_.plan.observations_per_epoch + observed(end);
        const bool due = observed(end) > observed(batch) && number < job_.timeline.observations();
        const std::uint64_t updates =
            std::uint64_t{epoch} * rows_ + std::min<std::uint64_t>(rows_, std::uint64_t{end} * size_);
        Snapshot* const copy = due ? job_.recorder.slot(number) : nullptr;
        if (copy != nullptr) copy->updates = updates;
        gpu_.step(batch, end - batch, copy);
        job_.report(updates);
        return end;
    }

    Job& job_;
    GpuBatches& gpu_;
    std::uint32_t rows_;
    std::uint32_t size_;
    std::uint32_t per_epoch_;
    std::vector<std::uint32_t> watched_;
    std::vector<double> scales_; // after every batch of the run
    std::map<std::uint32_t, double>
        rebases_;                      // of the epoch: batches before which a scale is multiplied into the weights
    std::set<std::uint32_t> prepared_; // numbers of batches
    double scale_ = 1;
    SchemeTotals totals_;
};

} // namespace

SchemeTotals run_on_gpu(Job& job) { return Feeder(job).run(); }

} // namespace hogwild
