// How fast are Hogwild! steps on a GPU, by policy, placement of the coordinates, rows in flight and copies of the hot ones?
//
// A row is one epoch over samples and weights in device memory, timed by CUDA events. The ceiling is what reading the samples once
// would take at the bandwidth of a copy within device memory, measured as a row of its own. The column `loss` is the training loss
// after one epoch from zero with the default step size of serial SGD, evaluated on the CPU: a fast row that learns nothing shows.
#include "engine/data/norms.h"
#include "engine/data/placement.h"
#include "engine/data/shuffle.h"
#include "engine/gpu/device_dataset.h"
#include "engine/gpu/stream.h"
#include "engine/order.h"
#include "engine/record/evaluate.h"
#include "engine/timeline.h"
#include "experiments/bench/bench.h"
#include "experiments/bench/csr_bytes.h"
#include "experiments/defaults.h"
#include "kernels/cuda/device_kernels.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// One placement of the samples, and room for one run on them.
struct Inputs {
    Dataset train;
    DeviceDataset samples;
    Plan plan;
    SampleOrder order;
    DeviceArray<float> weights;
    DeviceArray<std::uint32_t> claimed{1};
    DeviceArray<Pace> paces;
    DeviceArray<float> bases;
    Stream stream;
    Event start, end;

    Inputs(const Dataset& data, std::size_t most_bases)
        : train(shuffled(data)),
          samples(train.view()),
          order(sample_order("permutation", train.view(), 1)),
          weights(train.view().columns),
          paces((train.view().rows + Timeline::kCell - 1) / Timeline::kCell),
          bases(most_bases) {
        plan.problem = "hinge";
        plan.scheme = "serial";
        set_defaults(plan, sample_scale(train.view()));
        plan.epochs = 1;
        plan.l2 = 1.0 / static_cast<double>(train.view().rows);
        limit_step(plan);
        Timeline timeline(plan, order.rows);
        timeline.prepare(0, Schedule(plan.step));
        std::vector<Pace> all;
        for (std::uint64_t g = 0; g < timeline.chunks(); ++g) {
            if (timeline.positions(g).first % Timeline::kCell == 0) all.push_back(timeline.pace(g));
        }
        upload(paces.data(), all.data(), all.size() * sizeof(Pace));
        final_scale = timeline.scale_after(timeline.chunks() - 1);
    }

    double final_scale = 1;
};

struct Configuration {
    std::string update = "atomic";
    unsigned blocks = 132;
    std::uint32_t hot = 0;
    float rule = 1;
};

double loss_of(const Inputs& inputs) {
    std::vector<float> weights(inputs.weights.size());
    check(cudaMemcpy(weights.data(), inputs.weights.data(), inputs.weights.bytes(), cudaMemcpyDeviceToHost), "a copy");
    for (float& weight : weights) weight *= static_cast<float>(inputs.final_scale);
    const std::vector<const float*> snapshots{weights.data()};
    return evaluate("hinge", inputs.train.view(), snapshots)[0].objective(inputs.plan.l2);
}

Measurement epoch(const Inputs& inputs, const Configuration& chosen) {
    const auto entry = catalog::find<Updates>(chosen.update);
    const auto steps = device_kernels<Hinge>().steps[entry][0][0];
    DevicePass pass;
    pass.data = inputs.samples.view();
    pass.order = inputs.order;
    pass.count = inputs.order.rows;
    pass.paces = inputs.paces.data();
    pass.weights = inputs.weights.data();
    pass.claimed = inputs.claimed.data();
    pass.exchange = {std::min<std::uint32_t>(chosen.hot, inputs.train.view().columns), chosen.rule,
                     inputs.bases.data()};
    const cudaStream_t stream = inputs.stream.get();
    check(cudaMemsetAsync(inputs.weights.data(), 0, inputs.weights.bytes(), stream), "clearing weights");
    check(cudaMemsetAsync(inputs.claimed.data(), 0, sizeof(std::uint32_t), stream), "clearing a counter");
    inputs.start.record(inputs.stream);
    const unsigned warps = pass.exchange.hot > 0 ? kWarpsPerHotBlock : kWarpsPerBlock;
    check(steps(pass, {chosen.blocks, warps}, stream), "launching steps");
    inputs.end.record(inputs.stream);
    inputs.end.wait();
    const SparseView data = inputs.train.view();
    const double seconds = inputs.end.seconds_since(inputs.start);
    return {seconds,
            static_cast<double>(data.nonzeros()),
            {{"GB/s", csr_bytes(data) / seconds * 1e-9}, {"loss", loss_of(inputs)}}};
}

void add_ceiling(Bench& bench, const Dataset& data) {
    const std::size_t bytes = std::size_t{2} << 30;
    const auto from = std::make_shared<DeviceArray<std::byte>>(bytes),
               to = std::make_shared<DeviceArray<std::byte>>(bytes);
    const auto stream = std::make_shared<Stream>();
    bench.add("read samples", [=] {
        const Event start, end;
        start.record(*stream);
        check(cudaMemcpyAsync(to->data(), from->data(), bytes, cudaMemcpyDeviceToDevice, stream->get()), "a copy");
        end.record(*stream);
        end.wait();
        const double seconds = end.seconds_since(start) / (2.0 * static_cast<double>(bytes)) * csr_bytes(data.view());
        return Measurement{
            seconds, static_cast<double>(data.view().nonzeros()), {{"GB/s", csr_bytes(data.view()) / seconds * 1e-9}}};
    });
    bench.set_ceiling("read samples");
}

void add_rows(Bench& bench) {
    const Dataset data = bench.load_data();
    add_ceiling(bench, data);
    for (const std::string placing : {"stored", "scattered", "hottest"}) {
        const auto inputs =
            std::make_shared<Inputs>(placed(data, placement(placing, data.view())), std::size_t{132} * 57'344);
        for (const char* update : {"racy", "atomic", "noop"}) {
            for (const unsigned blocks : {33u, 132u, 264u, 528u}) {
                bench.add(fmt::format("{}/{}/{}", placing, update, blocks),
                          [=] { return epoch(*inputs, {.update = update, .blocks = blocks}); });
            }
        }
        if (placing != "hottest") continue;
        for (const std::uint32_t hot : {1'024u, 8'192u, 32'768u, 49'152u}) {
            for (const float rule : {1.0f, 0.1f, 1.0f / 132}) {
                bench.add(fmt::format("hottest/copies {}/rule {:.3g}", hot, rule),
                          [=] { return epoch(*inputs, {.hot = hot, .rule = rule}); });
            }
        }
    }
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How fast are Hogwild! steps on a GPU?", "nonzeros/s", "synthetic:rcv1",
                                "a LIBSVM file and a number of epochs of training", hogwild::add_rows});
}
