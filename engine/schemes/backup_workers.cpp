// Synchronous SGD with backup workers: of the shares that all workers compute, all but the last `backup` to be done make a step.
//
//   w <- (1 - step lambda) w - step (1/n) sum of the gradients of these shares' n samples
//
// A batch is cut into `threads - backup` shares (of a sample each where it has fewer samples). Every worker computes
// the gradients of one share, so that `backup` shares of the next batch are in flight too. The workers that finish
// first apply theirs, each to the coordinates it owns, shares in order. A later one finds the round over at its next
// look, every kLook samples, or when it is done. Its gradients are of weights that are no more. They are dropped and
// counted, as in the paper. The paper's worker then draws other samples. Here the share goes to whoever claims it in
// the next round, so that an epoch still takes each sample once. Where an epoch has no more shares left than a step
// wants, the step waits for all of them, and workers without one wait.
//
// Nobody waits for who is late, since places are claimed and not assigned. The update itself, by those who finished, is synchronous
// and has no backup. With no backup the shares and their order are minibatch's, and so are the bits.
// Source: Chen, Pan, Monga, Bengio, Jozefowicz 2016, "Revisiting Distributed Synchronous SGD".
#include "engine/memory/pages.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/sync/finish_line.h"
#include "engine/schemes/sync/meeting.h"
#include "engine/schemes/sync/popularity.h"
#include "engine/schemes/sync/share_queue.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/start.h"
#include "kernels/spin_wait.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace hogwild {
namespace {

/// How many shares a step wants, each of another worker, and the most samples of a share.
struct WantedShares {
    std::uint32_t count, largest;
};

WantedShares wanted_shares(const Plan& plan, std::uint64_t rows) {
    const auto batch = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.batch.size, rows));
    const std::uint32_t count = std::min(plan.threads - plan.backup, batch);
    return {count, batch / count + (batch % count > 0 ? 1 : 0)};
}

constexpr std::uint32_t kLook = 16;

/// What a place of a round computes: a share, nothing, or nothing that counts as finishing. A worker that claimed it
/// long ago may read it while it is written for a later round. It is told so when it asks whether its own is still
/// open.
class Offer {
public:
    void write(const Share& share, bool counts) {
        // Release: behind the end of the last round.
        first_.store(share.first, std::memory_order_release);
        count_.store(share.count, std::memory_order_release);
        counts_.store(counts, std::memory_order_release);
    }
    Share share() const { return {first_.load(std::memory_order_acquire), count_.load(std::memory_order_acquire)}; }
    bool counts() const { return counts_.load(std::memory_order_acquire); }

private:
    std::atomic<std::uint32_t> first_{0}, count_{0};
    std::atomic<bool> counts_{false};
};

/// Samples, and what they emit.
struct Emitted {
    std::vector<std::uint32_t> rows;
    std::vector<float> gradients;
    std::vector<std::uint32_t> cuts;

    Emitted(std::size_t samples, std::uint32_t emission, std::uint32_t owners)
        : rows(samples), gradients(samples * emission), cuts(samples * owners) {}
};

struct Winner {
    std::uint32_t place, samples;
};

/// What the workers of a run share.
struct Race {
    const std::uint32_t wanted; // shares of a batch; of a step, one worker's each
    const std::uint32_t largest;
    FinishLine line;
    std::vector<Offer> offers;           // by place
    std::atomic<std::uint32_t> epoch{0}; // read as offers are, and so is the scale
    std::atomic<float> scale{1};
    SpinBarrier barrier; // of a round's winners, by the order in which they finished
    std::vector<Winner> winners;
    Emitted batch; // of their shares, by place
    std::vector<std::uint32_t> bounds;
    // The step's numbers, written by the first winner between two meetings.
    std::uint32_t count = 0;
    std::uint64_t number = 0;
    float factor = 0;

    explicit Race(const Job& job) : Race(job, wanted_shares(job.plan, job.timeline.rows())) {}

private:
    Race(const Job& job, const WantedShares& shares)
        : wanted(shares.count),
          largest(shares.largest),
          line(wanted),
          offers(job.plan.threads),
          barrier(wanted, job.yields, &job.team.failed()),
          winners(wanted),
          batch(std::size_t{largest} * wanted, job.kernels.emission(job.data), wanted),
          bounds(popularity_bounds(job.data, wanted)) {}
};

/// Leads from round to round: worker 0 to the first, then whoever finished first, when all have made the step.
class Lead {
public:
    Lead(Job& job, Race& race)
        : job_(job),
          race_(race),
          rows_(job.timeline.rows()),
          epoch_(static_cast<std::uint32_t>(job.start_at.updates / rows_)),
          consumed_(static_cast<std::uint32_t>(job.start_at.updates % rows_)),
          scale_(job.start_at.scale),
          watched_(watched_rows(job, 4096)),
          shares_(rows_, std::min(job.plan.batch.size, rows_), race.wanted) {}

    void begin() {
        if (scale_ < kSmallestScale) rebase();
        begin_at(consumed_);
        open();
    }

    /// The winners have so many samples.
    void decide_update(std::uint32_t count) {
        const double size = job_.schedule.step(epoch_, job_.timeline.within(consumed_));
        scale_ *= 1.0 - size * lazy_l2(job_.plan);
        race_.count = count;
        race_.number = ++steps_;
        race_.factor = static_cast<float>(job_.contexts[0].optimizer == nullptr ? -size / (count * scale_) : -size);
    }

    /// The step is made. `meeting`: the caller's.
    void go_on(Meeting& meeting) {
        meeting.observe(epoch_, consumed_, race_.count, scale_, job_.buffer.data());
        if (scale_ < kSmallestScale) rebase();
        give_back();
        consumed_ += race_.count;
        if (consumed_ == rows_) {
            ++epoch_;
            begin_at(0);
        }
        open();
    }

    double scale() const { return scale_; }
    std::uint64_t rebases() const { return rebases_; }

private:
    void begin_at(std::uint32_t position) {
        consumed_ = position;
        shares_.begin_at(position);
        if (epoch_ < job_.timeline.epochs()) decide_step(job_, epoch_, watched_, job_.buffer.data(), scale_);
    }

    /// The shares of those who are late, first ones first.
    void give_back() {
        std::vector<bool> won(race_.offers.size());
        for (const Winner& winner : race_.winners) won[winner.place] = true;
        for (std::size_t place = won.size(); place-- > 0;) {
            if (!won[place]) shares_.give_back(race_.offers[place].share());
        }
    }

    void open() {
        if (epoch_ >= job_.timeline.epochs() || job_.interrupted()) return race_.line.open(FinishLine::kOver);
        for (std::size_t place = 0; place < race_.offers.size(); ++place) {
            const Share share = place < race_.wanted + job_.plan.backup ? shares_.take() : Share{0, 0};
            race_.offers[place].write(share, share.count > 0 || place < race_.wanted);
        }
        race_.epoch.store(epoch_, std::memory_order_release);
        race_.scale.store(static_cast<float>(scale_), std::memory_order_release);
        race_.line.open(++round_);
    }

    void rebase() {
        job_.buffer.rescale(0, job_.buffer.size(), static_cast<float>(scale_));
        scale_ = 1.0;
        ++rebases_;
    }

    Job& job_;
    Race& race_;
    const std::uint32_t rows_;
    std::uint32_t epoch_;
    std::uint32_t consumed_; // samples of the epoch
    double scale_;
    const std::vector<std::uint32_t> watched_;
    ShareQueue shares_;
    std::uint32_t round_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t rebases_ = 0;
};

class alignas(64) Racer {
public:
    Racer(Job& job, Race& race, Lead& lead, unsigned worker)
        : job_(job),
          race_(race),
          lead_(lead),
          meeting_(job, race.barrier, worker),
          set_(static_cast<std::size_t>(job.lanes)),
          emission_(job.kernels.emission(job.data)),
          cursor_(job.plan.order, job.data, job.plan.seed),
          own_(race.largest, emission_, race.wanted),
          scratch_(job.kernels.scratch(job.data)) {}

    void run() {
        while (const std::optional<FinishLine::Place> place = claim()) {
            const Offer& offer = race_.offers[place->number];
            const Share share = offer.share();
            if (!offer.counts() || !emit(place->round, share)) continue;
            if (const std::optional<std::uint32_t> rank = race_.line.finish(place->round))
                step(*rank, {place->number, share.count});
            else
                dropped_ += share.count;
        }
    }

    double waited() const { return meeting_.waited(); }
    std::uint64_t dropped() const { return dropped_; }

private:
    /// A place in the next round; nothing: there is none.
    std::optional<FinishLine::Place> claim() {
        std::optional<FinishLine::Place> place;
        meeting_.timed([&] {
            SpinWait spin(job_.yields);
            const std::atomic<bool>& failed = job_.team.failed();
            while (!(place = race_.line.claim(round_)) && !race_.line.is_over() &&
                   !failed.load(std::memory_order_relaxed))
                spin.pause();
        });
        if (place) round_ = place->round;
        return place;
    }

    /// The share's gradients; false: it is late.
    bool emit(std::uint32_t round, const Share& share) {
        BatchEmit work;
        work.weights = job_.buffer.data();
        work.scale = race_.scale.load(std::memory_order_acquire);
        work.owners = race_.wanted;
        work.bounds = race_.bounds.data();
        work.epoch = race_.epoch.load(std::memory_order_acquire);
        work.seed = job_.plan.seed;
        work.scratch = scratch_.data();
        if (!race_.line.is_open(round)) return false; // what was read may be of another round
        fill(cursor_, work.epoch, share.first, share.count, own_.rows.data());
        for (std::uint32_t done = 0; done < share.count; done += work.count) {
            if (!race_.line.is_open(round)) {
                dropped_ += done;
                return false;
            }
            work.count = std::min(kLook, share.count - done);
            work.samples = own_.rows.data() + done;
            work.emitted = own_.gradients.data() + std::size_t{done} * emission_;
            work.cuts = own_.cuts.data() + std::size_t{done} * race_.wanted;
            job_.kernels.emit[set_](job_.data, work);
        }
        return true;
    }

    void step(std::uint32_t rank, const Winner& self) {
        race_.winners[rank] = self;
        meet(rank);
        std::uint32_t before = 0, count = 0;
        for (const Winner& winner : race_.winners) {
            if (winner.place < self.place) before += winner.samples;
            count += winner.samples;
        }
        hand_in(before, self.samples);
        if (rank == 0) lead_.decide_update(count);
        meet(rank);
        apply(rank);
        // The others do not wait: one who was slow to see this meeting's end could find the next round's winners in another.
        meeting_.timed([&] { race_.barrier.gather(rank); });
        if (rank == 0) lead_.go_on(meeting_);
    }

    void meet(std::uint32_t rank) {
        meeting_.timed([&] { race_.barrier.wait(rank); });
    }

    /// The batch is in one piece.
    void hand_in(std::size_t to, std::size_t samples) {
        Emitted& batch = race_.batch;
        std::copy_n(own_.rows.begin(), samples, batch.rows.data() + to);
        std::copy_n(own_.gradients.begin(), samples * emission_, batch.gradients.data() + to * emission_);
        std::copy_n(own_.cuts.begin(), samples * race_.wanted, batch.cuts.data() + to * race_.wanted);
    }

    void apply(std::uint32_t rank) {
        BatchApply apply;
        apply.samples = race_.batch.rows.data();
        apply.count = race_.count;
        apply.weights = job_.buffer.data();
        apply.factor = race_.factor;
        apply.emitted = race_.batch.gradients.data();
        apply.owners = race_.wanted;
        apply.owner = rank;
        apply.bounds = race_.bounds.data();
        apply.cuts = race_.batch.cuts.data();
        apply.scratch = scratch_.data();
        apply.optimizer = job_.contexts[0].optimizer;
        apply.number = race_.number;
        job_.kernels.apply[set_](job_.data, apply);
    }

    Job& job_;
    Race& race_;
    Lead& lead_;
    Meeting meeting_;
    std::size_t set_;
    std::uint32_t emission_; // floats a sample
    OrderCursor cursor_;
    Emitted own_;
    PageArray<float> scratch_;
    std::uint32_t round_ = 0; // of its last place
    std::uint64_t dropped_ = 0;
};

class BackupWorkers : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// What every worker and every wanted share emits.
std::uint64_t emitted_bytes(const Plan& plan, const AnyView& data, const Kernels& kernels) {
    const auto [shares, samples] = wanted_shares(plan, data.rows());
    return sizeof(float) * (std::uint64_t{plan.threads} + shares) * samples * kernels.emission(data);
}

/// All shares that were taken have been applied, but those of late workers.
std::uint64_t unsure(const Plan& plan, std::uint64_t rows, const Snapshot&) {
    return std::uint64_t{plan.backup} * wanted_shares(plan, rows).largest;
}

} // namespace

SchemeTotals BackupWorkers::run(Job& job) {
    Race race(job);
    Lead lead(job, race);
    std::deque<Racer> racers;
    for (unsigned worker = 0; worker < job.plan.threads; ++worker) racers.emplace_back(job, race, lead, worker);
    decide_again(job);
    job.start();
    job.team.run([&](unsigned worker) {
        if (worker == 0) lead.begin();
        racers[worker].run();
    });
    SchemeTotals totals;
    totals.final_scale = lead.scale();
    totals.rebases = lead.rebases();
    totals.wait_seconds = 0;
    for (const Racer& racer : racers) {
        totals.wait_seconds += racer.waited() / job.plan.threads;
        totals.gradients_dropped += racer.dropped();
    }
    return totals;
}

constinit const SchemeTraits kBackupWorkersScheme{
    .name = "backup-workers",
    .about = "minibatch by the first so many shares to be done: a step does not wait for the slowest workers",
    .kind = SchemeKind::kSync,
    .writers = Writers::kOwn,
    .steps_on = StepsOn::kBatches,
    .backups = true,
    .batches = true,
    .no_telemetry = kNoConcurrentWriters,
    .unsure = unsure,
    .bytes = emitted_bytes,
    .cost = batch_cost,
    .make = make<BackupWorkers>,
};

} // namespace hogwild
