// What does a synchronous minibatch step cost, phase by phase? And who does it best: pinned workers that meet at a
// spinning barrier, or oneTBB tasks?
//
// run/...: whole runs of scheme minibatch (engine/run.h), with the share of the time that workers wait. team/... and
// tasks/...: the same kernels on the same batches of an epoch, by a team with a barrier after each phase, and by
// engine/machine/parallel.h. phase/...:
// one thread, one phase timed, in nonzeros of the epoch.
#include "engine/data/sparse/norms.h"
#include "engine/machine/parallel.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "engine/workers/barrier.h"
#include "engine/workers/team.h"
#include "experiments/bench/batch_steps.h"
#include "experiments/bench/harness/add_run.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/libsvm_file.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/plans/defaults.h"

#include <array>
#include <memory>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::array<std::uint32_t, 4> kBatches{64, 256, 1024, 4096};
constexpr std::uint32_t kEpochs = 3;

double nonzeros(const Dataset& data) { return static_cast<double>(data.view().nonzeros()); }

void add_run(Bench& bench, const Dataset& data, std::uint32_t batch, unsigned threads) {
    Plan plan;
    plan.scheme = "minibatch";
    set_defaults(plan, sample_scale(data.view()));
    plan.order = "stored";
    plan.batch.size = batch;
    plan.threads = threads;
    plan.epochs = kEpochs;
    plan.observations_per_epoch = 1;
    const auto samples = std::make_shared<const LoadedSamples>(LoadedSamples{data});
    add_run(bench, fmt::format("run/{}/{}", batch, threads), samples, plan, [=](const Outcome& outcome) {
        return Measurement{
            outcome.seconds / kEpochs, nonzeros(data), {{"waiting %", 100 * outcome.wait_seconds / outcome.seconds}}};
    });
}

std::uint32_t cut(std::uint32_t count, unsigned part, unsigned parts) {
    return static_cast<std::uint32_t>(std::uint64_t{count} * part / parts);
}

void add_team(Bench& bench, const Dataset& data, const std::shared_ptr<WorkerTeam>& team, std::uint32_t batch) {
    const unsigned threads = team->size();
    const auto steps = std::make_shared<BatchSteps>(data.view(), kernels_of<Hinge>(), batch, threads);
    bench.add(fmt::format("team/{}/{}", batch, threads), [=] {
        steps->forget();
        SpinBarrier barrier(threads, team->oversubscribed());
        const Stopwatch watch;
        team->run([&](unsigned worker) {
            for (std::uint32_t b = 0; b < steps->batches(); ++b) {
                const std::uint32_t size = steps->size(b);
                steps->emit(b, cut(size, worker, threads), cut(size, worker + 1, threads));
                barrier.wait(worker);
                steps->apply(b, worker);
                barrier.wait(worker);
            }
        });
        return Measurement{watch.seconds(), nonzeros(data), {}};
    });
}

void add_tasks(Bench& bench, const Dataset& data, unsigned threads, std::uint32_t batch) {
    const auto steps = std::make_shared<BatchSteps>(data.view(), kernels_of<Hinge>(), batch, threads);
    bench.add(fmt::format("tasks/{}/{}", batch, threads), [=] {
        set_parallelism(threads);
        steps->forget();
        const Stopwatch watch;
        for (std::uint32_t b = 0; b < steps->batches(); ++b) {
            const std::uint32_t size = steps->size(b);
            parallel_for(size, (size + threads - 1) / threads, [&](std::uint64_t begin, std::uint64_t end) {
                steps->emit(b, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
            });
            parallel_for(threads, 1, [&](std::uint64_t owner, std::uint64_t) {
                steps->apply(b, static_cast<std::uint32_t>(owner));
            });
        }
        return Measurement{watch.seconds(), nonzeros(data), {}};
    });
}

void add_phases(Bench& bench, const Dataset& data, const std::shared_ptr<WorkerTeam>& one, std::uint32_t batch) {
    const auto steps = std::make_shared<BatchSteps>(data.view(), kernels_of<Hinge>(), batch, 1);
    for (const bool slopes : {true, false}) {
        bench.add(fmt::format("phase/{}/{}", slopes ? "slopes" : "apply", batch), [=] {
            steps->forget();
            double seconds = 0;
            one->run([&](unsigned) {
                for (std::uint32_t b = 0; b < steps->batches(); ++b) {
                    const Stopwatch before;
                    steps->emit(b, 0, steps->size(b));
                    const double first = before.seconds();
                    const Stopwatch after;
                    steps->apply(b, 0);
                    seconds += slopes ? first : after.seconds();
                }
            });
            return Measurement{seconds, nonzeros(data), {}};
        });
    }
}

void add_rows(Bench& bench) {
    const Dataset data = bench.load_data();
    for (const unsigned threads : thread_counts()) {
        const auto team = std::make_shared<WorkerTeam>(threads);
        for (const std::uint32_t batch : kBatches) {
            add_run(bench, data, batch, threads);
            add_team(bench, data, team, batch);
            add_tasks(bench, data, threads, batch);
            if (threads == 1) add_phases(bench, data, team, batch);
            bench.compare(fmt::format("team / tasks, batch {}, threads {}", batch, threads),
                          fmt::format("team/{}/{}", batch, threads), fmt::format("tasks/{}/{}", batch, threads));
            if (threads > 1) {
                bench.compare(fmt::format("team, batch {}, threads {} / 1", batch, threads),
                              fmt::format("team/{}/{}", batch, threads), fmt::format("team/{}/1", batch));
            }
        }
    }
    const auto file = std::make_shared<LibsvmFile>(data);
    bench.add_rivals(
        "", [file] { return file->path(); }, kEpochs);
    bench.compare_with_rivals(fmt::format("run/256/{}", thread_counts().back()));
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"What does a synchronous minibatch step cost, and who does it best?", "nonzeros/s",
                                "synthetic:rcv1/16", "a LIBSVM file and a number of epochs of minibatch training",
                                hogwild::add_rows});
}
