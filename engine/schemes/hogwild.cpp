// HOGWILD!: workers claim samples from one line and step on one buffer, under the plan's update policy and guard.
//
// The claim is the only thing ordered (engine/schemes/walk/claims.h). A CPU thread claims chunk after chunk; a GPU stream,
// driven by a thread that gives it work and waits, claims stretches. Nothing joins them before the run's end.
// Source: Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011.
#include "engine/order/order.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/schemes/all.h"
#include "engine/schemes/kernels/thinned_kernels.h"
#include "engine/schemes/replicas/own_hot.h"
#include "engine/schemes/two_devices/batches.h"
#include "engine/schemes/two_devices/beside_gpu_pace.h"
#include "engine/schemes/two_devices/gpu_side.h"
#include "engine/schemes/two_devices/stream_share.h"
#include "engine/schemes/walk/claims.h"
#include "engine/schemes/walk/consumed.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/eras.h"
#include "engine/schemes/walk/start.h"
#include "engine/schemes/walk/walker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <mutex>
#include <span>
#include <vector>

namespace hogwild {
namespace {

/// What a thread steps through next, and by which batches.
struct Share {
    Stretch chunks;
    std::uint32_t batch = 0;
};

class Crew {
public:
    explicit Crew(Job& job)
        : job_(job),
          timeline_(job.timeline),
          threads_(cpu_workers(job.plan)),
          streams_(gpu_workers(job.plan)),
          gate_(job),
          first_(first_chunk(job)),
          eras_(job, threads_ + streams_, first_.walked),
          claims_(job.timeline, first_.chunk),
          batches_(job.plan, job.timeline, job.recorder),
          own_hot_(job),
          thread_lines_(job.gpu == nullptr ? threads_ : 0),
          stream_lines_(streams_),
          consumed_(job.gpu == nullptr ? std::span(thread_lines_) : job.gpu->threads()),
          streamed_(stream_lines_),
          stepping_(threads_ + streams_) {
        if (job.gpu == nullptr) consumed_.set(0, first_.updates);
    }

    SchemeTotals run() {
        if (job_.gpu != nullptr) job_.team.run([&](unsigned worker) { rehearse(worker); });
        if (own_hot_.any()) job_.team.run([&](unsigned worker) { own_hot_.begin(worker); });
        const bool publishes = job_.contexts.publication() != nullptr;
        if (publishes) job_.contexts.begin(job_.buffer.data());
        job_.start();
        job_.team.run([&](unsigned worker) {
            if (worker == threads_ + streams_) return attempt([&] { bridge(); });
            Eras::Visitor era(eras_, worker);
            attempt([&] { worker < threads_ ? walk(worker, era) : drive(worker, era); });
            // The others wait for it at every era's end, whatever happened here or happens there.
            for (bool through = false; !through;) {
                attempt([&] {
                    era.reach(timeline_.chunks());
                    through = true;
                });
            }
            if (worker == 0) totals_.rebases = era.passed();
            const std::lock_guard lock(ending_);
            if (--stepping_ == 0) ended_.notify_one();
        });
        if (error_) std::rethrow_exception(error_);
        if (publishes) {
            job_.with_weights(
                [&](const float* weights) { std::copy_n(weights, job_.buffer.size(), job_.buffer.data()); });
        }
        if (job_.gpu != nullptr) job_.gpu->finish(0); // copies that threads asked for last
        if (bridges(job_.plan) > 0) job_.gpu->exchange_rest();
        totals_.by_threads = consumed_.total();
        totals_.least_share = consumed_.least_share();
        totals_.by_worker = consumed_.each();
        std::ranges::copy(streamed_.each(), std::back_inserter(totals_.by_worker));
        if (own_hot_.any()) totals_.exchanges = own_hot_.exchanges();
        totals_.batches = batches_.totals();
        totals_.scale_at = [&timeline = timeline_](std::uint64_t updates) { return timeline.scale_at(updates); };
        totals_.final_scale = timeline_.scale_after(timeline_.chunks() - 1);
        return totals_;
    }

private:
    /// Keeps the first exception, and makes the others stop.
    template <class Work>
    void attempt(const Work& work) {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(ending_);
            if (!error_) error_ = std::current_exception();
            job_.failed.store(true, std::memory_order_relaxed);
        }
    }

    /// What drivers of a GPU do first, each on its own thread, off the clock.
    void rehearse(unsigned worker) {
        if (worker < threads_) return;
        if (worker < threads_ + streams_) {
            job_.gpu->rehearse(worker - threads_);
        } else {
            job_.gpu->exchange();
        }
    }

    Walker walker_of(WorkerContext& context) const {
        const Plan& plan = job_.plan;
        if (!hot_traits(plan).thins) return {job_, steps_on_buffer(job_, plan.update, steps_guard(plan), context)};
        const ThinnedSteps steps = thinned_kernel(plan.problem, plan.update, job_.lanes);
        const Thinning thinning{hot_coordinates(plan, job_.buffer.size()), plan.exchange.period};
        return {job_, [this, steps, thinning, &context](const Chunk& chunk) {
                    steps(job_.data.as<SparseView>(), chunk, thinning, context);
                }};
    }

    /// A CPU thread.
    void walk(unsigned worker, Eras::Visitor& era) {
        Walker walker = walker_of(job_.contexts[worker]);
        if (own_hot_.any()) walker.use(own_hot_.weights(worker));
        BesideGpuPace tempo(timeline_);
        Stretch claimed;
        const auto claim = [&]() -> Share {
            const std::uint32_t batch = batches_.of_thread();
            const std::uint64_t together = batches_.chunks(batch);
            if (claimed.empty())
                claimed = claims_.block([&](std::uint64_t g) { return std::max(walker.block_end(g), g + together); });
            if (claimed.empty() || job_.interrupted()) return {};
            const Stretch share{claimed.begin, std::min(claimed.end, claimed.begin + together)};
            claimed.begin = share.end;
            walker.queue(timeline_.positions(share.begin, share.end));
            return {share, batch};
        };
        Share next;
        double step = 0;
        const auto hand_over = [&] {
            if (own_hot_.any()) own_hot_.give_all(worker, step);
        };
        for (Share share = claim(); !share.chunks.empty(); share = next) {
            next = claim(); // one ahead, so that its first rows are on their way when this one ends
            const std::uint64_t g = share.chunks.begin, last = share.chunks.end - 1;
            const Positions positions = timeline_.positions(g, last + 1);
            const std::uint32_t epoch = positions.epoch, samples = positions.count;
            const bool waits = era.due(g) || !gate_.is_open(epoch);
            if (waits) {
                tempo.restart();
                hand_over();
            }
            era.reach(timeline_.epoch_start(g));
            if (!gate_.enter(epoch)) break;
            era.reach(g);
            if (waits) hand_over(); // nothing, and reads what was rescaled
            if (streams_ == 0) {
                const Pace pace = timeline_.pace(g);
                walker.walk(pace);
                step = pace.step;
                if (own_hot_.any()) own_hot_.stepped(worker, samples, step);
            } else {
                const BesideGpuPace::Beat beat = tempo.beat(paced(g), samples, consumed());
                walker.walk_among(beat.pace, beat.beside, share.batch);
                batches_.made(worker, samples, share.batch);
            }
            consumed_.add(worker, samples);
            if (job_.gpu == nullptr) {
                observe(job_, last, [&] { return consumed_.total(); });
            } else {
                job_.report(timeline_.updates_after(last));
                if (Snapshot* const copy = copy_due(last)) {
                    copy->updates = timeline_.samples_begin(g) + 1; // at least: on a replica counts come late
                    job_.gpu->copy(copy);
                }
            }
        }
        hand_over();
    }

    /// Samples whose increments CPU threads see.
    std::uint64_t consumed() const {
        const std::uint64_t said = job_.gpu->said();
        return consumed_.total() + (bridges(job_.plan) > 0 ? said : std::max(streamed_.total(), said));
    }

    /// How many samples workers can have consumed while somebody steps on chunk g: others may be in later epochs.
    std::uint64_t paced(std::uint64_t g) const { return timeline_.samples_end(g, gate_.open_epochs()); }

    /// Where a GPU steps, all snapshots are its copies: the slot of the one that is due once chunk g is done, or null.
    Snapshot* copy_due(std::uint64_t g) {
        return is_due(job_, g) ? job_.recorder.slot(timeline_.observation_after(g)) : nullptr;
    }

    /// Drives a GPU stream.
    void drive(unsigned worker, Eras::Visitor& era) {
        GpuWorkers& gpu = *job_.gpu;
        const unsigned stream = worker - threads_;
        const double begun = job_.recorder.seconds();
        const double chunk =
            static_cast<double>(timeline_.rows()) * timeline_.epochs() / static_cast<double>(timeline_.chunks());
        // How fast a GPU is beside threads, short first stretches say.
        std::uint64_t most = threads_ > 0 ? std::max<std::uint64_t>(1, longest() / 16) : longest();
        for (;;) {
            const std::uint32_t batch = batches_.of_stream();
            const std::uint64_t wanted = batches_.stretch(batch, most);
            const Stretch next = claims_.stretch(wanted);
            if (next.empty() || job_.interrupted()) break;
            const Positions positions = timeline_.positions(next.begin, next.end);
            // Others may be waiting for these steps, or look at the weights.
            if (era.due(next.begin) || !gate_.is_open(positions.epoch)) finish(stream);
            era.reach(timeline_.epoch_start(next.begin));
            if (!gate_.enter(positions.epoch)) break;
            era.reach(next.begin);
            const std::uint64_t g = next.end - 1;
            gpu.step(stream, {positions, consumed_.total(), paced(next.begin), copy_due(g),
                              static_cast<std::uint64_t>(2 * chunk * static_cast<double>(wanted)), batch});
            batches_.set(stream, gpu.steps(stream));
            const std::uint64_t done = gpu.consumed(stream);
            if (threads_ > 0 && done > 0) most = turn(done, job_.recorder.seconds() - begun, chunk, longest());
            job_.report(timeline_.updates_after(g));
        }
        finish(stream);
    }

    /// Whoever meets this stream next knows all that it did.
    void finish(unsigned stream) {
        job_.gpu->finish(stream);
        streamed_.set(stream, job_.gpu->consumed(stream));
        batches_.set(stream, job_.gpu->steps(stream));
    }

    /// Exchanges increments between host and replica until nobody steps; what is left then is exchanged after the join.
    void bridge() {
        const std::chrono::duration<double> pause(job_.plan.bridge.pause);
        std::unique_lock lock(ending_);
        while (stepping_ > 0) {
            lock.unlock();
            job_.gpu->exchange();
            lock.lock();
            if (pause.count() > 0) ended_.wait_for(lock, pause, [&] { return stepping_ == 0; });
        }
    }

    /// Chunks of a stretch, besides that an observation ends it: every stream takes some of an epoch. Where steps take batches a
    /// stream alone takes it whole: what a launch leaves over at its end are whole steps.
    std::uint64_t longest() const {
        if (problem_traits(job_.plan).takes_batches && threads_ + streams_ == 1) return timeline_.chunks();
        return std::max<std::uint64_t>(1, timeline_.chunks() / (std::uint64_t{timeline_.epochs()} * 4 * streams_));
    }

    Job& job_;
    const Timeline& timeline_;
    unsigned threads_;
    unsigned streams_;
    EpochGate gate_;
    FirstChunk first_;
    Eras eras_;
    Claims claims_;
    Batches batches_;
    OwnHot own_hot_;
    std::vector<PublishedCount> thread_lines_; // where no GPU has them
    std::vector<PublishedCount> stream_lines_;
    Consumed consumed_; // by CPU threads
    Consumed streamed_; // by streams, when they last finished
    std::mutex ending_;
    std::condition_variable ended_;
    unsigned stepping_;        // workers that have not run out of claims; under ending_
    std::exception_ptr error_; // under ending_ before the join
    SchemeTotals totals_;
};

class Hogwild : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// Nanoseconds a nonzero where all workers write every coordinate alike.
double direct_cost(const Plan& plan, double threads) {
    if (update_traits(plan).atomic) return 7;
    return threads > 1 ? 5 : kStepCost;
}

/// Nanoseconds a nonzero where hot coordinates are written otherwise, so that workers meet on few of the others.
double hot_cost(const Plan& plan, double threads) {
    const double draws = hot_traits(plan).thins ? kStepCost : 0; // a number for each increment of a hot one
    if (threads == 1) return direct_cost(plan, threads) + draws;
    return 0.9 + ((update_traits(plan).atomic ? 10 : 3.5) + draws) / threads;
}

double cost(const Plan& plan, double threads) {
    if (guard_traits(plan).orders) return threads > 1 ? 25 : 4 * kStepCost;
    return hot_traits(plan).elsewhere ? hot_cost(plan, threads) : direct_cost(plan, threads);
}

} // namespace

SchemeTotals Hogwild::run(Job& job) { return Crew(job).run(); }

constinit const SchemeTraits kHogwildScheme{
    .name = "hogwild",
    .about = "workers claim chunks and step on the one buffer, under an update policy and a guard",
    .kind = SchemeKind::kAsync,
    .writers = Writers::kRacing,
    .on_gpu = OnGpu::kStreams,
    .updates = UpdateChoice::kAll,
    .guards = true,
    .staleness_rules = true,
    .layer_updates = true,
    .hot_updates = true,
    .short_numbers = true,
    .optimizer_states = true,
    .unsure = unsure_of_claims,
    .cost = cost,
    .make = make<Hogwild>,
};

} // namespace hogwild
