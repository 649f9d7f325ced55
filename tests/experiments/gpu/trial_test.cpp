// What a GPU does to one run's process, it does to no other run.
#include "engine/plan/plan.h"
#include "experiments/session/trial.h"

#include "tests/device.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/experiments/child.h"
#include "tests/scratch.h"

using namespace hogwild;

namespace {

const std::atomic<bool> kCalm{false};

Plan on_gpu() {
    Plan plan = toy_plan("hogwild");
    plan.device = "gpu";
    plan.memory = "device";
    plan.gpu.blocks = 8;
    return plan;
}

/// A coordinate far beyond the columns, which no reader lets through: the GPU's kernel leaves its memory.
Dataset beyond_its_columns() {
    TestSamples samples = random_samples(3'000, 40, 6, 1);
    samples.add(1.0f, {0x7FFF'FFFFu}, {1.0f});
    return toy_dataset(std::move(samples));
}

Outcome run_apart(const Dataset& train) {
    const Plan plan = on_gpu();
    const Placements placements(train, {}, {plan});
    return Trials(placements, program()).run(plan, kNone, kCalm);
}

/// Takes the GPU's free memory but for less than a context needs, until destroyed.
class Hoard {
public:
    Hoard() {
        constexpr std::size_t kSmallest = std::size_t{16} << 20;
        for (std::size_t bytes = std::size_t{64} << 30; bytes >= kSmallest;) {
            void* memory = nullptr;
            if (cudaMalloc(&memory, bytes) == cudaSuccess) {
                blocks_.push_back(memory);
            } else {
                bytes /= 2;
            }
        }
        cudaGetLastError(); // the refusals have been seen
    }
    Hoard(const Hoard&) = delete;
    Hoard& operator=(const Hoard&) = delete;
    ~Hoard() {
        for (void* const memory : blocks_) cudaFree(memory);
    }

private:
    std::vector<void*> blocks_;
};

} // namespace

TEST_CASE("a run whose GPU context breaks has failed, with CUDA's words; the next one runs" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Outcome broken = run_apart(beyond_its_columns());
    CHECK(broken.status == "failed");
    CHECK_MESSAGE(broken.reason.find("(cudaErrorIllegal") != std::string::npos,
                  broken.reason); // address or instruction
    const Outcome next = run_apart(crowded());
    CHECK_MESSAGE(next.status == "done", next.reason);
}

TEST_CASE("where a GPU's memory is full its run has failed, with CUDA's words, and the list goes on" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Scratch scratch;
    Finished done;
    {
        const Hoard hoard;
        done = call({"run", "--data", "synthetic:rows=300,features=40,nonzeros=5", "--no-cache", "--no-plot",
                     "--no-warm-up", "--in-order", "--scheme", "hogwild", "--device", "gpu,cpu", "--threads", "1",
                     "--epochs", "2", "-o", "out"},
                    scratch.path);
    }
    CHECK(done.code == 1); // a run failed
    CHECK_MESSAGE(done.error.find("out of memory") != std::string::npos, done.error);
    const std::string summary = text_of(scratch.path / "out" / "summary.csv");
    CHECK_MESSAGE(summary.find(",failed,") != std::string::npos, summary);
    CHECK_MESSAGE(summary.find(",done,") != std::string::npos, summary);
    const Outcome next = run_apart(crowded()); // and a GPU that has memory again runs again
    CHECK_MESSAGE(next.status == "done", next.reason);
}
