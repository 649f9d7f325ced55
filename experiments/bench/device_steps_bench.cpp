// How fast are Hogwild! steps on a GPU, and what do they learn? Rows differ in policy, placement of the coordinates,
// rows in flight and copies of the hot ones.
//
// A row is one epoch over samples and weights in device memory, timed by CUDA events. The ceiling is what reading the
// samples once would take at the bandwidth of a copy within device memory. That is measured as a row of its own. The
// column `loss` is the least training loss after one epoch from zero over a grid of step sizes. `step` is that step,
// with which the row is timed. So a fast row that learns nothing shows. `wrote %` are the samples whose step changed
// weights: hinge leaves those alone that have a margin.
// `serial` is one CPU thread with the same grid. `random reductions`: increments of random coordinates and nothing else.
//
// Samples that hold every column have rows of their own (`--data synthetic:rows=1000000,features=54,nonzeros=54,zipf=0`
// makes some). They are run by the kernel for dense rows, and by the one for sparse rows. The latter reads an index a
// value and adds float by float. `copies` has copies of every column where there are few.
#include "engine/data/shuffle.h"
#include "engine/data/sparse/norms.h"
#include "engine/data/sparse/placement.h"
#include "engine/gpu/device_evaluator.h"
#include "engine/order/order.h"
#include "engine/order/timeline.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/bench/device_ceiling.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/csr_bytes.h"
#include "experiments/plans/defaults.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/increments.h"
#include "kernels/numbers/histogram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::array kSteps = {1.0 / 27, 1.0 / 9, 1.0 / 5, 1.0 / 3,
                               1.0 / 2,  1.0,     3.0}; // times the default of serial SGD

Plan one_epoch(const Dataset& data, double times) {
    Plan plan;
    plan.problem = "hinge";
    plan.scheme = "serial";
    set_defaults(plan, sample_scale(data.view()));
    plan.epochs = 1;
    plan.observations_per_epoch = 1;
    plan.l2 = 1.0 / static_cast<double>(data.view().rows());
    plan.step.size *= times;
    limit_step(plan);
    return plan;
}

/// A plan's step sizes and scales, on the device.
struct Steps {
    double size;
    DeviceArray<Pace> paces;
    double final_scale;

    explicit Steps(const Plan& plan, std::uint32_t rows)
        : size(plan.step.size), paces((rows + Timeline::kCell - 1) / Timeline::kCell) {
        Timeline timeline(plan, rows);
        timeline.prepare(0, Schedule(plan.step, plan.epochs));
        std::vector<Pace> all(paces.size());
        timeline.paces(0, all.data());
        upload(paces.data(), all.data(), paces.bytes());
        final_scale = timeline.scale_after(timeline.chunks() - 1);
    }
};

/// One placement of the samples, and room for one run on them.
struct Inputs {
    Dataset train;
    DeviceDataset samples;
    SampleOrder order;
    double l2;
    DeviceArray<float> weights;
    DeviceArray<std::uint32_t> claimed{1};
    DeviceArray<unsigned long long> consumed{1}, buckets{Histogram::kBuckets}, staleness{2};
    std::vector<Steps> steps;
    DeviceArray<unsigned long long> clock{1}; // steps that wrote
    Stream stream;
    Event start, end;

    explicit Inputs(const Dataset& data)
        : train(shuffled(data)),
          samples(train.view()),
          order(sample_order("permutation", train.view(), 1)),
          l2(one_epoch(train, 1).l2),
          weights(train.view().coordinates()) {
        for (const double times : kSteps) steps.emplace_back(one_epoch(train, times), order.rows);
    }
};

struct Configuration {
    std::string update = "atomic";
    LaunchShape shape;
    HotExchange exchange;
    bool dense = false; // the kernel for dense rows
};

/// Seconds of an epoch from zero. `probe`: 0 off, 1 sampled.
double epoch(const Inputs& inputs, const Configuration& chosen, const Steps& step, std::size_t probe = 0) {
    DevicePass pass;
    pass.data = inputs.samples.view();
    pass.dense = chosen.dense;
    pass.order = inputs.order;
    pass.clock = {step.paces.data(),
                  pass.order.rows,
                  static_cast<std::uint32_t>(step.paces.size()),
                  0,
                  pass.order.rows - 1ULL,
                  chosen.shape.blocks * chosen.shape.warps,
                  inputs.consumed.data(),
                  {}};
    pass.weights = inputs.weights.data();
    pass.claimed = inputs.claimed.data();
    pass.exchange = chosen.exchange;
    pass.pieces = Pieces(inputs.order.rows, chosen.shape.blocks * chosen.shape.warps);
    pass.telemetry = {inputs.clock.data(), inputs.buckets.data(), inputs.staleness.data(), inputs.staleness.data() + 1};
    const cudaStream_t stream = inputs.stream.get();
    clear(inputs.weights, stream);
    clear(inputs.claimed, stream);
    clear(inputs.consumed, stream);
    clear(inputs.clock, stream);
    inputs.start.record(inputs.stream);
    const auto steps = device_kernels<Hinge>().steps[catalog::find<Updates>(chosen.update)][0][probe];
    check(steps(pass, chosen.shape, stream), "launching steps");
    inputs.end.record(inputs.stream);
    inputs.end.wait();
    return inputs.end.seconds_since(inputs.start);
}

double loss_of(const Inputs& inputs, double scale) {
    std::vector<float> weights(inputs.weights.size());
    check(cudaMemcpy(weights.data(), inputs.weights.data(), inputs.weights.bytes(), cudaMemcpyDeviceToHost), "a copy");
    for (float& weight : weights) weight *= static_cast<float>(scale);
    const std::vector<const float*> snapshots{weights.data()};
    return DeviceEvaluator("hinge", inputs.samples.view().as<SparseView>(), true)(snapshots)[0].objective(inputs.l2);
}

/// The step of the least loss, and what it does.
struct Best {
    const Steps* step = nullptr;
    double loss = 0;
    double wrote = 0; // share of the samples
};

Best best_step(const Inputs& inputs, const Configuration& chosen) {
    Best best;
    for (const Steps& step : inputs.steps) {
        epoch(inputs, chosen, step);
        const double loss = loss_of(inputs, step.final_scale);
        if (best.step == nullptr || loss < best.loss) best = {&step, loss, 0};
    }
    epoch(inputs, chosen, *best.step, 1);
    unsigned long long wrote = 0;
    check(cudaMemcpy(&wrote, inputs.clock.data(), sizeof(wrote), cudaMemcpyDeviceToHost), "a copy");
    best.wrote = static_cast<double>(wrote) / static_cast<double>(inputs.order.rows);
    return best;
}

void add_device_row(Bench& bench, const std::string& name, const std::shared_ptr<Inputs>& inputs,
                    const Configuration& chosen) {
    const auto best = std::make_shared<Best>();
    bench.add(
        name,
        [=] {
            if (best->step == nullptr) *best = best_step(*inputs, chosen);
            const double seconds = epoch(*inputs, chosen, *best->step);
            const SparseView data = inputs->train.sparse();
            const double bytes = chosen.dense ? dense_bytes(data) : csr_bytes(data);
            return Measurement{seconds,
                               static_cast<double>(data.nonzeros()),
                               {{"GB/s", bytes / seconds * 1e-9},
                                {"wrote %", 100 * best->wrote},
                                {"loss", best->loss},
                                {"step", best->step->size}}};
        },
        0.01);
}

void add_serial(Bench& bench, const Dataset& data) {
    bench.add("serial", [=] {
        double seconds = 0, loss = 1e300, size = 0;
        for (const double times : kSteps) {
            const Plan plan = one_epoch(data, times);
            const Outcome outcome = run(plan, {data});
            if (outcome.observations.back().train_loss >= loss) continue;
            loss = outcome.observations.back().train_loss;
            size = plan.step.size;
            seconds = outcome.seconds;
        }
        return Measurement{seconds,
                           static_cast<double>(data.view().nonzeros()),
                           {{"GB/s", csr_bytes(data.sparse()) / seconds * 1e-9}, {"loss", loss}, {"step", size}}};
    });
}

/// Samples that hold every column.
void add_dense_rows(Bench& bench, const Dataset& data) {
    const auto inputs = std::make_shared<Inputs>(data);
    for (const unsigned blocks : {33u, 66u, 132u, 264u}) {
        for (const bool dense : {true, false}) {
            for (const char* update : {"racy", "atomic", "noop"}) {
                add_device_row(bench, fmt::format("{}/{}/{}", dense ? "dense" : "sparse", update, blocks), inputs,
                               {.update = update, .shape = {blocks, kWarpsPerBlock}, .exchange = {}, .dense = dense});
            }
        }
        const std::uint32_t columns = data.view().coordinates();
        if (columns > 4096) continue;
        add_device_row(bench, fmt::format("copies {}/{}", columns, blocks), inputs,
                       {.update = "atomic", .shape = {blocks, kWarpsPerBlock}, .exchange = {columns, 1.0f}});
    }
    for (const char* update : {"atomic", "noop"}) {
        bench.compare(fmt::format("dense / sparse kernel, {}, 132 blocks", update), fmt::format("dense/{}/132", update),
                      fmt::format("sparse/{}/132", update));
    }
}

/// Reductions at random coordinates of as many weights, to the power of two below: what the second-level cache can do.
void add_reductions(Bench& bench, const Dataset& data) {
    const auto cells = std::make_shared<DeviceArray<float>>(std::bit_floor(data.view().coordinates()));
    const auto stream = std::make_shared<Stream>();
    bench.add("random reductions", [=] {
        const DeviceIncrements launch{cells->data(), static_cast<std::uint32_t>(cells->size() - 1), 256, 1, 1'056};
        const Event start, end;
        clear(*cells, stream->get());
        start.record(*stream);
        check(increment_kernels()[catalog::find<Updates>("atomic")][0](launch, stream->get()), "increments");
        end.record(*stream);
        end.wait();
        return Measurement{end.seconds_since(start), static_cast<double>(launch.total()), {}};
    });
}

void add_sparse_rows(Bench& bench, const Dataset& data) {
    add_reductions(bench, data);
    const auto on = [&](const std::string& kind, std::uint32_t hot = 0) {
        return std::make_shared<Inputs>(placed(data, placement(kind, data.view(), hot)));
    };
    for (const std::string placing : {"stored", "scattered", "hottest"}) {
        const auto inputs = on(placing);
        add_device_row(bench, placing + "/racy/132", inputs, {"racy", {132, kWarpsPerBlock}, {}});
        for (const unsigned blocks : {33u, 66u, 132u, 264u}) {
            add_device_row(bench, fmt::format("{}/atomic/{}", placing, blocks), inputs,
                           {"atomic", {blocks, kWarpsPerBlock}, {}});
        }
        add_device_row(bench, placing + "/noop/132", inputs, {"noop", {132, kWarpsPerBlock}, {}});
    }
    const std::uint32_t columns = data.view().coordinates();
    for (const std::string placing : {"hot-first", "hot-apart"}) {
        for (const std::uint32_t hot : {16u, 64u, 128u, 256u}) {
            const auto inputs = on(placing, hot);
            for (const unsigned blocks : {33u, 66u, 132u}) {
                if (placing == "hot-apart" && blocks < 132) continue;
                add_device_row(bench, fmt::format("{} {}/atomic/{}", placing, hot, blocks), inputs,
                               {"atomic", {blocks, kWarpsPerBlock}, {hot, 1.0f, hot_shift(placing, columns, hot)}});
            }
        }
    }
    for (const char* placing : {"stored", "hottest"}) {
        bench.compare(fmt::format("hot-first 64 / {}, 132 blocks", placing), "hot-first 64/atomic/132",
                      fmt::format("{}/atomic/132", placing));
    }
    bench.compare("hot-first 64 / serial", "hot-first 64/atomic/132", "serial");
}

void add_rows(Bench& bench) {
    const Dataset data = bench.load_data();
    add_device_ceiling(bench, data);
    add_serial(bench, shuffled(data));
    data.view().dense() ? add_dense_rows(bench, data) : add_sparse_rows(bench, data);
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How fast are Hogwild! steps on a GPU, and what do they learn?", "nonzeros/s",
                                "synthetic:rcv1", "a LIBSVM file and a number of epochs of training",
                                hogwild::add_rows});
}
