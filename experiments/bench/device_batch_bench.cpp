// How fast is a synchronous minibatch step on a GPU, by size of the batch?
//
// graph/BATCH: whole runs of scheme minibatch (engine/run.h), logistic loss, a new order each epoch, the samples in device
// memory before the clock starts. Their time is the run's own clock divided by the epochs, capturing the graphs of steps
// included.
// `us/batch` is that time a batch; `warm us/batch` leaves the first epoch and the last out, on the device's clock. The column
// `loss` is the training loss at the end: a fast row that learns nothing shows.
//
// A rival takes one size of batch, and its name says which: `torch-1024` is compared with graph/1024.
#include "engine/data/shuffle.h"
#include "engine/data/sparse/norms.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/bench/device_ceiling.h"
#include "experiments/bench/harness/add_run.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/libsvm_file.h"
#include "experiments/plans/defaults.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::array<std::uint32_t, 5> kBatches{64, 256, 1024, 4096, 16384};
constexpr std::uint32_t kEpochs = 5;

std::string row_of(std::uint32_t batch) { return fmt::format("graph/{}", batch); }

/// What the rows train on, alive as long as they are.
struct Inputs {
    Dataset train;
    Dataset shuffled;

    explicit Inputs(const Dataset& data) : train(data), shuffled(hogwild::shuffled(data)) {}
};

Plan plan_of(const Dataset& train, std::uint32_t batch) {
    Plan plan;
    plan.problem = "logistic";
    plan.scheme = "minibatch";
    plan.device = "gpu";
    plan.memory = "device";
    plan.order = "permutation";
    set_defaults(plan, sample_scale(train.view()));
    plan.step.size *= std::min(1.0, static_cast<double>(batch) / plan.batch.size); // a mean over fewer
    plan.batch.size = batch;
    plan.epochs = kEpochs;
    plan.observations_per_epoch = 1;
    plan.l2 = 1.0 / static_cast<double>(train.view().rows());
    limit_step(plan);
    return plan;
}

/// Seconds of an epoch between the second observation and the last but one.
double warm_seconds(const Outcome& outcome) {
    const Observation& from = outcome.observations[1];
    const Observation& to = outcome.observations.end()[-2];
    return (to.seconds - from.seconds) / (to.epoch - from.epoch);
}

void add_run(Bench& bench, const std::shared_ptr<Inputs>& inputs, std::uint32_t batch) {
    const SparseView data = inputs->train.sparse();
    const std::uint64_t batches = (data.rows + batch - 1) / batch;
    const Plan plan = plan_of(inputs->train, batch);
    add_run(bench, row_of(batch), inputs, plan, [=](const Outcome& outcome) {
        check_trained(row_of(batch), outcome);
        const double seconds = outcome.seconds / kEpochs;
        const double microseconds = 1e6 / static_cast<double>(batches); // a batch's, of an epoch's seconds
        return Measurement{seconds,
                           static_cast<double>(data.nonzeros()),
                           {{"us/batch", seconds * microseconds},
                            {"warm us/batch", warm_seconds(outcome) * microseconds},
                            {"loss", outcome.observations.back().train_loss}}};
    });
}

/// The row of a batch beside the rivals whose names end in its size.
void compare_with_rivals_of(Bench& bench, std::uint32_t batch) {
    const std::string ending = fmt::format("-{}", batch);
    std::vector<std::string> names;
    for (const Rival& rival : bench.rivals()) {
        if (rival.name.ends_with(ending)) names.push_back(rival.name);
    }
    if (names.empty()) names.push_back("rival" + ending);
    for (const std::string& name : names)
        bench.compare(fmt::format("{} / {}", row_of(batch), name), row_of(batch), name, 1.0);
}

void add_rows(Bench& bench) {
    const Dataset data = bench.load_data();
    add_device_ceiling(bench, data);
    const auto inputs = std::make_shared<Inputs>(data);
    for (const std::uint32_t batch : kBatches) {
        add_run(bench, inputs, batch);
        compare_with_rivals_of(bench, batch);
    }
    const auto file = std::make_shared<LibsvmFile>(data);
    bench.add_rivals(
        "", [file] { return file->path(); }, kEpochs);
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(
        argc, argv,
        {"How fast is a synchronous minibatch step on a GPU?", "nonzeros/s", "synthetic:rcv1",
         "a LIBSVM file and a number of\nepochs of minibatch training. A rival takes one size of "
         "batch, which its name ends in:\n`--rival torch-1024=PROGRAM` is compared with graph/1024",
         hogwild::add_rows});
}
