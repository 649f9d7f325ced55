// How many words of text per second does skip-gram train on, and what do shared negatives, policies and instruction sets
// change?
//
// Rows are whole runs (engine/run.h) of some epochs with one observation an epoch; their time is the run's own clock
// divided by the epochs. A word is a position of the text, kept or not, as word2vec.c counts. Where there is a GPU,
// rows `gpu/...` are runs of its streams and of its synchronous batches. Streams have so many blocks each, with eight
// windows a block.
//
// The floor of a window with c contexts and one list of k negatives has n = 1 + k outputs of d floats each. It makes
// three products of c n d multiplications and as many additions. It reads and writes (c + n) d floats. With 5 contexts
// or 6, 5 negatives and d = 100 that is some 21,000 operations on 9 kB. Each 16 multiplications and additions take two
// instructions of sixteen lanes, since none is fused.
#include "engine/data/load.h"
#include "engine/machine/gpus.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/bench/harness/add_run.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/rival_text.h"
#include "experiments/plans/defaults.h"
#include "kernels/catalog.h"
#include "kernels/lanes/dispatch.h"

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kEpochs = 2;

Plan plan_of(const std::string& scheme, double shared) {
    Plan plan;
    plan.problem = "skipgram";
    plan.scheme = scheme;
    set_defaults(plan, {});
    plan.epochs = kEpochs;
    plan.observations_per_epoch = 1;
    plan.parameters = {100, 5, 5, 1e-3, shared};
    plan.l2 = 0;
    return plan;
}

void add_run(Bench& bench, const std::string& row, const std::shared_ptr<const LoadedSamples>& text, const Plan& plan) {
    add_run(bench, row, text, plan, [=](const Outcome& outcome) {
        check_trained(row, outcome);
        const double loss = outcome.observations.back().train_loss;
        return Measurement{
            outcome.seconds / kEpochs, static_cast<double>(text->train.view().rows()), {{"train loss", loss}}};
    });
}

/// By how many windows are in flight, and by synchronous batches.
void add_device_runs(Bench& bench, const std::string& negatives, const std::shared_ptr<const LoadedSamples>& text,
                     double shared) {
    for (const std::uint32_t blocks : {1u, 4u, 16u, 66u}) {
        for (const char* update : {"racy", "atomic", "noop"}) {
            Plan plan = plan_of("hogwild", shared);
            plan.device = "gpu";
            plan.memory = "device";
            plan.update = update;
            plan.gpu.blocks = blocks;
            add_run(bench, fmt::format("gpu/{}/{}/{} x {}", update, negatives, plan.gpu.streams, blocks), text, plan);
        }
    }
    Plan batches = plan_of("minibatch", shared);
    batches.device = "gpu";
    batches.memory = "device";
    add_run(bench, fmt::format("gpu/minibatch/{}", negatives), text, batches);
}

/// A sentence a line, words by their ids.
void write_words(std::FILE* file, const TokensView& view) {
    for (std::uint64_t i = 0; i < view.rows; ++i)
        fmt::print(file, "{}w{}", i == 0 ? "" : view.tokens[i] >= TokensView::kFirst ? "\n" : " ", view.word(i));
    fmt::print(file, "\n");
}

void add_rows(Bench& bench) {
    const auto text = std::make_shared<const LoadedSamples>(LoadedSamples{bench.load_data(TokensView::kSamples)});
    for (const bool shared : {true, false}) {
        const std::string negatives = shared ? "shared" : "own";
        add_run(bench, "serial/" + negatives, text, plan_of("serial", shared ? 1 : 0));
        for (const std::string_view update : catalog::names<Updates>) {
            Plan plan = plan_of("hogwild", shared ? 1 : 0);
            plan.update = update;
            add_run(bench, fmt::format("{}/{}", update, negatives), text, plan);
        }
        if (!read_gpus().list.empty()) add_device_runs(bench, negatives, text, shared ? 1 : 0);
    }
    for (std::size_t set = 0; set <= static_cast<std::size_t>(best_instruction_set()); ++set) {
        Plan plan = plan_of("serial", 1);
        plan.lanes = kInstructionSetNames[set];
        add_run(bench, fmt::format("serial/shared/{}", plan.lanes), text, plan);
    }
    bench.compare("shared negatives / own", "serial/shared", "serial/own");
    bench.compare("racy / serial, shared", "racy/shared", "serial/shared", 0.90);
    bench.compare("racy / noop, shared: what is left when writing", "racy/shared", "noop/shared");
    bench.compare("atomic / racy, shared", "atomic/shared", "racy/shared");
    const auto file =
        std::make_shared<RivalText>([text](std::FILE* to) { write_words(to, text->train.view().as<TokensView>()); });
    bench.add_rivals(
        "", [file] { return file->named("text.txt"); }, kEpochs);
    bench.compare_with_rivals("serial/shared");
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How many words of text per second does skip-gram train on?", "words/s",
                                "synthetic:words,tokens=2000000,words=30000,topics=100",
                                "a text of words between blanks and a number of epochs of training",
                                hogwild::add_rows});
}
