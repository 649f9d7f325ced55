// The loop of stochastic gradient steps: a sample's gradient from weights as they are, its increments written by a policy.
// Every scheme, policy and access pattern runs this one.
//
// A problem names its access pattern, a class under kernels/patterns/:
//   View              samples, borrowed
//   Prefetch          asks for samples and weights before the loop comes to them
//   Step<Problem, Lanes>   one worker's steps, given a chunk:
//     sample(i)         sample number i: what it says, and which coordinates it touches
//     read(sample)      computes its gradient from the weights; false: there is nothing to write
//     write(update, sample)   hands the increments to an update policy
//     next()            before the next sample, whether anything was written or not
//     run(update, prefetch)   optional: all of the chunk's steps, in a loop that knows nothing guards or watches single ones
//   kScores           what training samples or test samples are scored by (kernels/score.h): columns of results
//   kHoldsOut         where no test is named, a tenth of the samples is held out for one
//   kOnGpu            has steps for a GPU (kernels/cuda/launches/)
//   kHalves           and such for parameters of 16 bits (kernels/numbers/storage.h); then kShrinksAll is false
//   kHotCopies        optional: and such on copies of hot coordinates in a block's memory (kernels/cuda/rows/hot_copies.cuh)
//   kShrinksAll       L2 shrinks all weights at every step, by way of a scale; false: each sample shrinks what it touches
//   kRegularised      L2 means something: else its loss has no regulariser
//   kConvex           optional: its loss is convex, though it is no loss of the margin
//   kUsualL2          where nothing is said
//   kParameters       of its models (kernels/parameters.h)
//   kTakesNetwork     optional: its models are networks (kernels/network/network.h)
//   kTouchesAll       optional: a step touches every weight
//   kGuided           optional: Step offers use(weights), what it reads and writes from now on, and rescale(factor) on its step
//                     size, before write. Step::kWritesAgain, optional: what it read may be written more than once, elsewhere
//   kTakesBatches     optional: a step takes `Chunk::batch` samples together: sample(numbers, count), and made of a context too
//   coordinates(view, model)      of a model, whose parameters are as many as listed
//   bound(view, model)            the view with a model
//   scratch(view)     optional: floats that halves of a synchronous step, and mean_loss besides, need of a worker's own
//   step_scratch(view, batch, copies)   optional: floats that its steps need of a worker's own
//   initial(view, seed, j)        weight j before the first step
//   emission, emit, apply         halves of a synchronous step (kernels/steps/batch.h)
//   together(view)    optional: samples that are not parted where workers share out a synchronous batch
//   mean_loss                     of a few samples: the plateau test of the backoff protocol
//
// Thread-safety: any number of workers may run it on one buffer, each with its own context.
#pragma once

#include "kernels/probes/none.h"
#include "kernels/steps/stale_steps.h"
#include "kernels/updates/guards/none.h"
#include "kernels/worker_context.h"

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace hogwild {

/// Consecutive steps of one worker with one step size.
struct Chunk {
    static constexpr std::uint32_t kMostAhead = 32;

    const std::uint32_t* samples; // which, `count` of them, then `ahead` that this worker will visit next
    std::uint32_t count;
    std::uint32_t ahead; // at most kMostAhead
    bool primed;         // the first samples have been asked for already, as samples ahead
    float* weights;      // v, of weights scale x v
    double scale;        // before the first step
    double decay;        // factor on the scale per step: 1 - step lambda
    double skip;         // factor on the scale between two steps: decay^(M - 1) where M workers interleave, else 1
    double step;
    std::uint32_t epoch;     // of all the samples
    std::uint64_t seed;      // of the run: for patterns whose samples draw numbers
    std::uint32_t batch = 1; // samples of a step, of patterns that take batches
    std::uint32_t step_of =
        0;              // of such patterns; not 0: `step` is that of so many samples, and of others in proportion
    double inverse = 0; // 1 / scale as steps before came to it, each multiplying by 1 / decay; 0: as divided now
};

template <class Pattern>
concept TakesBatches = requires {
    requires Pattern::kTakesBatches;
};

template <class Pattern>
concept TakesNetwork = requires {
    requires Pattern::kTakesNetwork;
};

template <class Pattern>
concept TouchesAll = requires {
    requires Pattern::kTouchesAll;
};

template <class Pattern>
concept Guided = requires {
    requires Pattern::kGuided;
};

/// Steps that may go by their staleness: those beside which a count costs nothing, and others where their guard says so.
template <class Pattern, class Guard>
concept MayBeStale = TouchesAll<Pattern> || requires {
    requires Guard::kCounts;
};

/// A guard with vectors of its own: steps read its weights(), and it writes their increments.
template <class Guard>
concept HasWeights = requires(const Guard& guard) {
    guard.weights();
};

template <class Problem, class Lanes, class Update, class Guard, class Probe>
void steps(const typename Problem::Pattern::View& data, const Chunk& chunk, WorkerContext& context) {
    using Pattern = typename Problem::Pattern;
    const Update update(context);
    Guard guard(context);
    Probe probe(context);
    [[maybe_unused]] StaleSteps stale(context);
    using Step = typename Pattern::template Step<Problem, Lanes>;
    constexpr bool kBatches = TakesBatches<Pattern>;
    Step step = [&] {
        if constexpr (kBatches)
            return Step(data, chunk, context);
        else
            return Step(data, chunk);
    }();
    const typename Pattern::Prefetch prefetch(data, chunk);
    if (!chunk.primed) prefetch.prime();
    if constexpr (std::same_as<Guard, NoGuard> && std::same_as<Probe, NoProbe> &&
                  requires { step.run(update, prefetch); }) {
        return step.run(update, prefetch);
    }
    const std::uint32_t together = kBatches ? chunk.batch : 1;
    for (std::uint32_t i = 0; i < chunk.count; i += together) {
        prefetch.at(i);
        const auto sample = [&] {
            if constexpr (kBatches)
                return step.sample(chunk.samples + i, std::min(together, chunk.count - i));
            else
                return step.sample(chunk.samples[i]);
        }();
        guard.before_read(sample);
        if constexpr (HasWeights<Guard>) step.use(guard.weights());
        probe.read(); // now, not before a wait for locks: the weights are read after it
        if constexpr (MayBeStale<Pattern, Guard>) stale.read();
        const bool writes = step.read(sample);
        probe.computed();
        if (writes) {
            guard.before_write(sample);
            const bool written = [&] {
                if constexpr (MayBeStale<Pattern, Guard>) {
                    if (!stale.admits(step)) return false;
                }
                if constexpr (HasWeights<Guard>) return guard.template write<Lanes>(step, sample);
                step.write(update, sample);
                return true;
            }();
            if (written) probe.wrote(sample, update);
            guard.after_write(sample);
        } else {
            guard.nothing_to_write(sample);
        }
        step.next();
    }
}

} // namespace hogwild
