// How fast are graph cuts, and how near to what memory allows?
//
// Rows of training are whole runs (engine/run.h) of some epochs with one observation an epoch. Their time is the run's
// own clock divided by the epochs. `stream` is the ceiling. One worker reads all edges as they are stored, and reads
// and writes every row of the nodes once. That is the least that an epoch moves: 12 bytes an edge, 8 a coordinate.
// Where there is a GPU, `gpu` are its streams and its synchronous batches.
#include "engine/data/load.h"
#include "engine/data/shuffle.h"
#include "engine/data/sparse/norms.h"
#include "engine/error.h"
#include "engine/machine/gpus.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "engine/workers/team.h"
#include "experiments/bench/harness/add_run.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/rival_text.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/plans/defaults.h"
#include "kernels/lanes/compute_anyway.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kEpochs = 10;

struct Inputs {
    Dataset train;
    Dataset shuffled;
    ParameterBuffer weights;
    WorkerTeam team{1};

    explicit Inputs(const Dataset& data)
        : train(data), shuffled(hogwild::shuffled(data)), weights(data.view().coordinates()) {
        std::fill_n(weights.data(), weights.size(), 0.5f);
    }

    EdgesView view() const { return train.view().as<EdgesView>(); }
    double bytes() const { return static_cast<double>(view().bytes()) + 8.0 * view().coordinates(); }
};

Dataset graph(const std::string& name) {
    LoadOptions options;
    options.samples = EdgesView::kSamples;
    return load(name, options);
}

void add_stream(Bench& bench, const std::shared_ptr<Inputs>& inputs) {
    bench.add("stream", [=] {
        const auto edges = inputs->shuffled.view().as<EdgesView>();
        float* const weights = inputs->weights.data();
        double seconds = 0;
        inputs->team.run([&](unsigned) {
            const Stopwatch watch;
            const auto* const words = reinterpret_cast<const std::uint32_t*>(edges.edges);
            std::uint32_t sum = 0;
            for (std::uint64_t i = 0; i < 3 * edges.rows; ++i) sum += words[i];
            keep(static_cast<float>(sum));
            for (std::uint32_t j = 0; j < edges.coordinates(); ++j) weights[j] = 1 - weights[j];
            seconds = watch.seconds();
        });
        const auto rows = static_cast<double>(edges.rows);
        return Measurement{seconds, rows, {{"GB/s", inputs->bytes() / seconds * 1e-9}}};
    });
    bench.set_ceiling("stream");
}

void add_run(Bench& bench, const std::string& row, const std::shared_ptr<Inputs>& inputs, const std::string& scheme,
             unsigned threads, const std::string& lanes = "auto", const std::string& device = "cpu") {
    Plan plan;
    plan.problem = "cut";
    plan.scheme = scheme;
    plan.threads = threads;
    plan.lanes = lanes;
    plan.device = device;
    if (device == "gpu") plan.memory = "device";
    set_defaults(plan, sample_scale(inputs->train.view()));
    plan.epochs = kEpochs;
    plan.observations_per_epoch = 1;
    add_run(bench, row, inputs, plan, [=](const Outcome& outcome) {
        check_trained(row, outcome);
        const double seconds = outcome.seconds / kEpochs;
        return Measurement{
            seconds,
            static_cast<double>(inputs->view().rows),
            {{"GB/s", inputs->bytes() / seconds * 1e-9}, {"cut value", outcome.observations.back().scores[0]}}};
    });
}

/// Lines `t NODE CLASS`, then `U V WEIGHT`.
void write_graph(std::FILE* file, const EdgesView& view) {
    for (std::uint32_t t = 0; t < view.classes; ++t) fmt::print(file, "t {} {}\n", view.free + t, t);
    for (std::uint64_t i = 0; i < view.rows; ++i)
        fmt::print(file, "{} {} {}\n", view.edges[i].u, view.edges[i].v, view.edges[i].weight);
}

void add_rows(Bench& bench) {
    const auto inputs = std::make_shared<Inputs>(graph(bench.data()));
    const auto file =
        std::make_shared<RivalText>([inputs](std::FILE* to) { write_graph(to, inputs->train.view().as<EdgesView>()); });
    add_stream(bench, inputs);
    add_run(bench, "serial", inputs, "serial", 1);
    add_run(bench, "serial/scalar", inputs, "serial", 1, "scalar");
    bench.compare("serial / stream", "serial", "stream", 0.8);
    bench.compare("serial / its scalar form", "serial", "serial/scalar");
    if (!read_gpus().list.empty()) {
        for (const char* scheme : {"hogwild", "minibatch"})
            add_run(bench, fmt::format("gpu/{}", scheme), inputs, scheme, 1, "auto", "gpu");
    }
    for (const unsigned threads : thread_counts()) {
        const std::string of = fmt::format("/{}", threads);
        bench.add_rivals(
            of, [=] { return file->named(fmt::format("graph.t{}.txt", threads)); }, kEpochs);
        for (const char* scheme : {"hogwild", "conflict-free", "minibatch"}) {
            add_run(bench, scheme + of, inputs, scheme, threads);
            bench.compare(fmt::format("{}{} / serial", scheme, of), scheme + of, "serial");
        }
        bench.compare_with_rivals("hogwild" + of, of);
    }
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(
        argc, argv,
        {"How fast are graph cuts, and how near to what memory allows?", "edges/s", "synthetic:grid=1024x1024",
         "a file of edges, lines of `u v weight`, ids from 0, behind lines `t NODE CLASS` of the "
         "terminals, whose name ends with .tTHREADS.txt, and a number of epochs",
         hogwild::add_rows});
}
