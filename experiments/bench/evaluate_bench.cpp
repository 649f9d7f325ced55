// How much does it help that sixteen snapshots share one traversal of the samples (engine/record/evaluate.h)?
//
// Both rows score the same sixteen snapshots: in one call, and in sixteen. A nonzero counts once for each snapshot.
#include "engine/machine/parallel.h"
#include "engine/record/evaluate.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/libsvm_file.h"
#include "experiments/bench/harness/stopwatch.h"
#include "kernels/catalog.h"

#include <memory>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::size_t kSnapshots = 16;

struct Inputs {
    Dataset data;
    std::vector<std::vector<float>> snapshots;
    std::vector<const float*> pointers;

    explicit Inputs(const Dataset& data) : data(data), snapshots(kSnapshots) {
        for (std::size_t k = 0; k < kSnapshots; ++k) {
            for (std::uint32_t j = 0; j < data.view().coordinates(); ++j) {
                snapshots[k].push_back(static_cast<float>((j * 2654435761u + k) % 1024) / 512.0f - 1.0f);
            }
            pointers.push_back(snapshots[k].data());
        }
    }
};

/// `together`: snapshots of one call.
void add_row(Bench& bench, const std::string& row, const std::shared_ptr<Inputs>& inputs, std::string_view problem,
             unsigned threads, std::size_t together) {
    bench.add(row, [=] {
        set_parallelism(threads);
        const std::span<const float* const> all(inputs->pointers);
        const Stopwatch watch;
        for (std::size_t k = 0; k < kSnapshots; k += together) {
            evaluate(problem, inputs->data.view(), all.subspan(k, together));
        }
        return Measurement{watch.seconds(), static_cast<double>(inputs->data.view().nonzeros() * kSnapshots), {}};
    });
}

void add_rows(Bench& bench) {
    const auto inputs = std::make_shared<Inputs>(bench.load_data());
    const auto file = std::make_shared<LibsvmFile>(inputs->data);
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const unsigned threads : thread_counts()) {
            const std::string together = fmt::format("together/{}/{}", problem, threads);
            const std::string single = fmt::format("one-by-one/{}/{}", problem, threads);
            add_row(bench, together, inputs, problem, threads, kSnapshots);
            add_row(bench, single, inputs, problem, threads, 1);
            bench.compare(fmt::format("together / one by one, {}, threads {}", problem, threads), together, single);
        }
        const std::string one = fmt::format("together/{}/1", problem);
        const std::string all = fmt::format("together/{}/{}", problem, thread_counts().back());
        bench.compare(fmt::format("all threads / one, {}", problem), all, one);
    }
    bench.add_rivals(
        "", [file] { return file->path(); }, kSnapshots);
    bench.compare_with_rivals("together/hinge/1");
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How much does it help that sixteen snapshots share one traversal of the samples?",
                                "nonzeros/s", "synthetic:rcv1/16",
                                "a LIBSVM file and how many vectors of weights to score on it, by one thread",
                                hogwild::add_rows});
}
