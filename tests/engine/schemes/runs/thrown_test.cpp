// A worker that ends by an exception: the others do not wait for it, and the run ends by the same.
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/problems/logistic.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <atomic>
#include <new>

using namespace hogwild;

namespace {

/// Has no memory left for a worker's snapshot.
class NoMemory final : public SnapshotSink {
public:
    explicit NoMemory(int before) : left_(before) {}

    void taken(const Snapshot&, std::span<const double>) override {
        if (left_.fetch_sub(1) == 0) throw std::bad_alloc();
    }
    void ended() override {}

private:
    std::atomic<int> left_;
};

/// Several eras of lazy L2, at whose ends workers meet under every scheme that has them.
Plan small_plan(std::string_view scheme, unsigned threads) {
    Plan plan = toy_plan(std::string(scheme), threads);
    plan.problem = "logistic";
    plan.step.kind = "constant";
    plan.epochs = 20;
    plan.l2 = 0.05;
    plan.batch.size = 16;
    return plan;
}

} // namespace

TEST_CASE("whoever waits for a worker that ends by an exception ends too, and the run says which it was") {
    const Dataset data = crowded();
    for (const std::string_view scheme : scheme_names()) {
        if (scheme == "serial") continue;
        for (const unsigned threads : {2u, 3u}) {
            for (const int before : {1, 5, 40}) { // the first snapshot is the caller's
                CAPTURE(scheme);
                CAPTURE(threads);
                CAPTURE(before);
                const Plan plan = small_plan(scheme, threads);
                ToyJob toy(plan, data.view(), nullptr, kernels_of<Logistic>());
                NoMemory sink(before);
                toy.recorder.show(&sink, toy.schedule);
                CHECK_THROWS_AS(make_scheme(scheme)->run(toy.job), std::bad_alloc);
            }
        }
    }
}
