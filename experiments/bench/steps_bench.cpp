// How fast is the training loop, and how near to what memory allows?
//
// Rows of training are whole runs (engine/run.h) of some epochs with one observation an epoch. Their time is the run's
// own clock divided by the epochs. `gather` is the ceiling (experiments/bench/gather.h), on one pinned worker too.
#include "engine/data/shuffle.h"
#include "engine/data/sparse/norms.h"
#include "engine/error.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/order/order.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "engine/workers/team.h"
#include "experiments/bench/gather.h"
#include "experiments/bench/harness/add_run.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/csr_bytes.h"
#include "experiments/bench/harness/libsvm_file.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/plans/defaults.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kEpochs = 5;

/// What the rows work on, alive as long as they are.
struct Inputs {
    Dataset train;
    Dataset shuffled;
    ParameterBuffer weights;
    WorkerTeam team;

    explicit Inputs(const Dataset& data)
        : train(data), shuffled(hogwild::shuffled(data)), weights(data.view().coordinates()), team(1) {
        std::fill_n(weights.data(), weights.size(), 1.0f); // memory never written to would be one page of zeros
    }
};

Measurement measurement(const SparseView& data, double seconds) {
    return {seconds, static_cast<double>(data.nonzeros()), {{"GB/s", csr_bytes(data) / seconds * 1e-9}}};
}

void add_gather(Bench& bench, const std::string& row, const std::shared_ptr<Inputs>& inputs, std::string_view order,
                Gather gather) {
    const SparseView view = inputs->train.sparse();
    auto rows = std::make_shared<std::vector<std::uint32_t>>(view.rows);
    OrderCursor cursor(order, view, 1);
    fill(cursor, 0, 0, static_cast<std::uint32_t>(view.rows), rows->data());
    const bool blocks = orders_blocks(order, view);
    bench.add(row, [=] {
        const SparseView data = (blocks ? inputs->shuffled : inputs->train).sparse();
        double seconds = 0;
        inputs->team.run([&](unsigned) {
            const Stopwatch watch;
            gather(data, rows->data(), static_cast<std::uint32_t>(rows->size()), inputs->weights.data());
            seconds = watch.seconds();
        });
        return measurement(data, seconds);
    });
}

Plan plan_of(const Inputs& inputs, const std::string& problem, const std::string& scheme, const std::string& order) {
    Plan plan;
    plan.problem = problem;
    plan.scheme = scheme;
    plan.order = order;
    set_defaults(plan, sample_scale(inputs.train.view()));
    plan.epochs = kEpochs;
    plan.observations_per_epoch = 1;
    plan.l2 = 1.0 / static_cast<double>(inputs.train.view().rows());
    limit_step(plan);
    return plan;
}

void add_run(Bench& bench, const std::string& row, const std::shared_ptr<Inputs>& inputs, const Plan& plan) {
    add_run(bench, row, inputs, plan, [=](const Outcome& outcome) {
        check_trained(row, outcome);
        return measurement(inputs->train.sparse(), outcome.seconds / kEpochs);
    });
}

void add_gathers(Bench& bench, const std::shared_ptr<Inputs>& inputs) {
    const InstructionSet best = best_instruction_set();
    add_gather(bench, "gather/stored", inputs, "stored", gather_on<true>(best));
    add_gather(bench, "gather/permutation", inputs, "permutation", gather_on<true>(best));
    add_gather(bench, "gather/stored/no-prefetch", inputs, "stored", gather_on<false>(best));
    add_gather(bench, "gather/permutation/no-prefetch", inputs, "permutation", gather_on<false>(best));
    bench.set_ceiling("gather/stored");
}

void add_serial(Bench& bench, const std::shared_ptr<Inputs>& inputs) {
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const std::string_view order : {"stored", "permutation", "replacement"}) {
            add_run(bench, fmt::format("serial/{}/{}", problem, order), inputs,
                    plan_of(*inputs, std::string(problem), "serial", std::string(order)));
        }
    }
    for (std::size_t set = 0; set <= static_cast<std::size_t>(best_instruction_set()); ++set) {
        Plan plan = plan_of(*inputs, "hinge", "serial", "stored");
        plan.lanes = kInstructionSetNames[set];
        add_run(bench, fmt::format("serial/hinge/stored/{}", plan.lanes), inputs, plan);
        add_gather(bench, fmt::format("gather/stored/{}", plan.lanes), inputs, "stored",
                   gather_on<true>(static_cast<InstructionSet>(set)));
        bench.compare(fmt::format("serial / gather, both {}", plan.lanes),
                      fmt::format("serial/hinge/stored/{}", plan.lanes), fmt::format("gather/stored/{}", plan.lanes));
    }
}

/// One worker. Logistic too, where nearly every sample is written: with noop the weights stay zero, and hinge writes every
/// sample.
void add_policies(Bench& bench, const std::shared_ptr<Inputs>& inputs) {
    for (const std::string problem : {"hinge", "logistic"}) {
        for (const std::string_view update : catalog::names<Updates>) {
            Plan plan = plan_of(*inputs, problem, "hogwild", "permutation");
            plan.update = update;
            add_run(bench, fmt::format("{}/{}/permutation", update, problem), inputs, plan);
        }
    }
    for (const char* telemetry : {"sampled", "exact"}) {
        Plan observed = plan_of(*inputs, "hinge", "hogwild", "permutation");
        observed.telemetry = telemetry;
        add_run(bench, fmt::format("racy/hinge/permutation/{}", telemetry), inputs, observed);
    }
}

void add_rows(Bench& bench) {
    const Dataset data = bench.load_data();
    const auto inputs = std::make_shared<Inputs>(data);
    bench.compare("serial / gather, hinge, stored", "serial/hinge/stored", "gather/stored", 0.70);
    bench.compare("serial / gather, hinge, permutation", "serial/hinge/permutation", "gather/permutation");
    bench.compare("racy / serial, hinge", "racy/hinge/permutation", "serial/hinge/permutation", 0.90);
    bench.compare("racy / serial, logistic", "racy/logistic/permutation", "serial/logistic/permutation", 0.90);
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        bench.compare(fmt::format("permutation / stored, {}", problem), fmt::format("serial/{}/permutation", problem),
                      fmt::format("serial/{}/stored", problem), 0.80);
    }
    bench.compare("replacement / stored, hinge", "serial/hinge/replacement", "serial/hinge/stored");
    bench.compare("racy / noop, logistic: what is left when writing", "racy/logistic/permutation",
                  "noop/logistic/permutation");
    bench.compare("atomic / racy, logistic", "atomic/logistic/permutation", "racy/logistic/permutation");
    bench.compare("telemetry sampled / off", "racy/hinge/permutation/sampled", "racy/hinge/permutation");
    bench.compare("telemetry exact / off", "racy/hinge/permutation/exact", "racy/hinge/permutation");
    add_gathers(bench, inputs);
    add_serial(bench, inputs);
    add_policies(bench, inputs);
    const auto file = std::make_shared<LibsvmFile>(data);
    bench.add_rivals(
        "", [file] { return file->path(); }, kEpochs);
    bench.compare_with_rivals("serial/hinge/stored");
    bench.compare_with_rivals("serial/hinge/permutation");
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How fast is the training loop, and how near to what memory allows?", "nonzeros/s",
                                "synthetic:rcv1/4", "a LIBSVM file and a number of epochs of training",
                                hogwild::add_rows});
}
