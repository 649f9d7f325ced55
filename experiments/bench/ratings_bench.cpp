// How fast is factorization, and how near to what a core computes?
//
// Rows of training are whole runs (engine/run.h) of some epochs without biases, one observation an epoch. Their time is
// the run's own clock divided by the epochs. `in-cache` is the ceiling. One worker steps through one small tile again
// and again, whose ratings and factors stay in its first-level cache. So nothing but arithmetic is left. Where there is
// a GPU, `gpu` are its streams by rank, memory and update policy, and its synchronous batches. The column `rows GB/s`
// is what reading and writing both rows of factors of every rating would take without any cache. Here an item may have
// several of every hundred ratings. Then so many of them step on its row at once on a GPU that a run may diverge. Its
// rate stands beside a loss that is not finite.
#include "engine/data/load.h"
#include "engine/data/shuffle.h"
#include "engine/error.h"
#include "engine/machine/gpus.h"
#include "engine/memory/pages.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "engine/workers/team.h"
#include "experiments/bench/harness/add_run.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/rival_text.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/plans/defaults.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kEpochs = 5;
constexpr double kRanks[] = {32, 128};
constexpr double kInFlight = 0.1; // of the usual step: thousands of ratings step at once

struct Inputs {
    Dataset train;
    Dataset shuffled;

    explicit Inputs(const Dataset& data) : train(data), shuffled(hogwild::shuffled(data)) {}
};

Dataset ratings(const std::string& name) {
    LoadOptions options;
    options.samples = RatingsView::kSamples;
    options.keep_labels = true;
    return load(name, options);
}

Plan plan_of(const Inputs& inputs, double rank, const std::string& scheme, unsigned threads) {
    Plan plan;
    plan.problem = "factorization";
    plan.scheme = scheme;
    plan.threads = threads;
    set_defaults(plan, {.rows = inputs.train.view().rows()});
    plan.epochs = kEpochs;
    plan.observations_per_epoch = 1;
    plan.l2 = 0.02;
    plan.parameters = {rank, 0};
    return plan;
}

void add_run(Bench& bench, const std::string& row, const std::shared_ptr<Inputs>& inputs, const Plan& plan) {
    add_run(bench, row, inputs, plan, [=](const Outcome& outcome) {
        if (status_traits(outcome.status).failed) throw Error(row + " did not run", outcome.reason, "use other data");
        const auto rows = static_cast<double>(inputs->train.view().rows());
        const double loss = outcome.observations.back().train_loss;
        const double seconds = outcome.seconds * rows / static_cast<double>(outcome.updates);
        const double rating_bytes =
            4 * plan.parameters[0] * static_cast<double>(bytes_of(storage_of(memory_kind(plan))));
        return Measurement{seconds, rows, {{"train loss", loss}, {"rows GB/s", rows * rating_bytes / seconds * 1e-9}}};
    });
}

/// 16 users by 16 items.
void add_in_cache(Bench& bench, double rank) {
    constexpr std::uint32_t kEdge = 16, kTimes = 4'000;
    struct Tile {
        std::vector<Rating> ratings;
        std::vector<std::uint32_t> order;
        PageArray<float> weights; // rows begin on cache lines, as in a run
        WorkerTeam team{1};
    };
    const auto tile = std::make_shared<Tile>();
    for (std::uint32_t i = 0; i < kEdge * kEdge; ++i)
        tile->ratings.push_back({i % kEdge, (i + i / kEdge) % kEdge, 0.5f}); // neighbours share nothing
    tile->order.resize(tile->ratings.size());
    std::iota(tile->order.begin(), tile->order.end(), 0u);
    bench.add(fmt::format("in-cache/{}", rank), [tile, rank] {
        const RatingsView view{tile->ratings.data(),
                               tile->ratings.size(),
                               kEdge,
                               kEdge,
                               {static_cast<std::uint32_t>(rank), false, 0, 0.02f}};
        if (tile->weights.size() == 0) tile->weights = PageArray<float>(view.coordinates());
        std::ranges::fill(tile->weights.span(), 0.1f);
        const auto count = static_cast<std::uint32_t>(view.rows);
        const Chunk chunk{tile->order.data(), count, 0, false, tile->weights.data(), 1, 1, 1, 1e-3, 0, 1};
        const auto steps =
            kernels_of<Factorization>().steps[0][0][0].by_set[static_cast<std::size_t>(best_instruction_set())];
        double seconds = 0;
        tile->team.run([&](unsigned) {
            WorkerContext context;
            const Stopwatch watch;
            for (std::uint32_t i = 0; i < kTimes; ++i) steps(view, chunk, context);
            seconds = watch.seconds();
        });
        return Measurement{seconds, static_cast<double>(view.rows) * kTimes, {}};
    });
}

/// Lines `USER ITEM RATING`.
void write_ratings(std::FILE* file, const RatingsView& view) {
    for (std::uint64_t i = 0; i < view.rows; ++i)
        fmt::print(file, "{} {} {}\n", view.ratings[i].user, view.ratings[i].item, view.ratings[i].value);
}

void add_gpu_rows(Bench& bench, const std::shared_ptr<Inputs>& inputs, double rank) {
    for (const char* memory : {"device", "device-bf16", "device-fp16"}) {
        for (const char* update : {"racy", "atomic"}) {
            Plan plan = plan_of(*inputs, rank, "hogwild", 1);
            plan.device = "gpu";
            set_memory(plan, memory);
            plan.update = update;
            plan.gpu.streams = 4;
            plan.gpu.blocks = 132;
            plan.step.size *= kInFlight;
            const std::string row = fmt::format("gpu/{}/{}/{}", rank, memory, update);
            add_run(bench, row, inputs, plan);
            bench.compare(row + " / serial", row, fmt::format("serial/{}", rank));
        }
    }
    Plan batches = plan_of(*inputs, rank, "minibatch", 1);
    batches.device = "gpu";
    batches.memory = "device";
    add_run(bench, fmt::format("gpu/{}/minibatch", rank), inputs, batches);
}

void add_rows(Bench& bench) {
    const bool gpu = !read_gpus().list.empty();
    const auto inputs = std::make_shared<Inputs>(ratings(bench.data()));
    const auto file = std::make_shared<RivalText>(
        [inputs](std::FILE* to) { write_ratings(to, inputs->train.view().as<RatingsView>()); });
    for (const double rank : kRanks) {
        add_in_cache(bench, rank);
        const std::string serial = fmt::format("serial/{}", rank);
        add_run(bench, serial, inputs, plan_of(*inputs, rank, "serial", 1));
        bench.compare(serial + " / in-cache", serial, fmt::format("in-cache/{}", rank));
        if (gpu) add_gpu_rows(bench, inputs, rank);
        for (const unsigned threads : thread_counts()) {
            const std::string of = fmt::format("/{}/{}", rank, threads);
            bench.add_rivals(
                of, [=] { return file->named(fmt::format("ratings.k{}.t{}.txt", rank, threads)); }, kEpochs);
            for (const char* scheme : {"hogwild", "conflict-free"}) {
                add_run(bench, scheme + of, inputs, plan_of(*inputs, rank, scheme, threads));
                bench.compare(fmt::format("{}{} / serial", scheme, of), scheme + of, serial);
                bench.compare_with_rivals(scheme + of, of);
            }
        }
    }
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How fast is factorization, and how near to what a core computes?", "ratings/s",
                                "synthetic:ratings=10000000,users=71567,items=10681,user-zipf=0.6,item-zipf=0.9",
                                "a file of ratings, lines of `user item rating`, ids from 0, whose name ends with "
                                ".kRANK.tTHREADS.txt, and a number of epochs",
                                hogwild::add_rows});
}
