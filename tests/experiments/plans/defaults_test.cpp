// Defaults of a problem under a scheme: what steps, batches, exchanges and epochs each pair has been tuned to.
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/plan.h"
#include "experiments/plans/defaults.h"
#include "kernels/catalog.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

using namespace hogwild;

namespace {

struct Tuned {
    std::string_view problem, scheme, step;
    double size, decay;
    std::uint32_t batch, exchange, epochs;
};

constexpr Tuned kTuned[] = {
    {"hinge", "serial", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "hogwild", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "hogwild++", "decay", 0.5, 0.9, 256, 1024, 10},
    {"hinge", "round-robin", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "conflict-free", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "cyclades", "decay", 0.5, 0.9, 1024, 4096, 10},
    {"hinge", "minibatch", "decay", 64, 0.9, 256, 4096, 10},
    {"hinge", "local-sgd", "decay", 1, 0.9, 256, 1024, 10},
    {"hinge", "replicated", "decay", 1, 0.9, 256, 1024, 10},
    {"hinge", "async-local-sgd", "decay", 0.5, 0.9, 256, 128, 10},
    {"logistic", "serial", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "hogwild", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "hogwild++", "decay", 1, 0.9, 256, 1024, 10},
    {"logistic", "round-robin", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "conflict-free", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "cyclades", "decay", 1, 0.9, 1024, 4096, 10},
    {"logistic", "minibatch", "decay", 128, 0.9, 256, 4096, 10},
    {"logistic", "local-sgd", "decay", 2, 0.9, 256, 1024, 10},
    {"logistic", "replicated", "decay", 2, 0.9, 256, 1024, 10},
    {"logistic", "async-local-sgd", "decay", 1, 0.9, 256, 128, 10},
    {"factorization", "serial", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "hogwild", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "hogwild++", "decay", 0.02, 0.95, 256, 16384, 20},
    {"factorization", "round-robin", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "conflict-free", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "cyclades", "decay", 0.02, 0.95, 1024, 4096, 20},
    {"factorization", "minibatch", "decay", 5, 0.95, 256, 4096, 20},
    {"factorization", "local-sgd", "decay", 0.04, 0.95, 256, 65536, 20},
    {"factorization", "replicated", "decay", 0.04, 0.95, 256, 65536, 20},
    {"cut", "serial", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "hogwild", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "round-robin", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "conflict-free", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "cyclades", "decay", 0.2, 0.95, 1024, 4096, 50},
    {"cut", "minibatch", "decay", 50, 0.95, 256, 4096, 50},
    {"cut", "local-sgd", "decay", 0.4, 0.95, 256, 65536, 50},
    {"cut", "replicated", "decay", 0.4, 0.95, 256, 65536, 50},
    {"skipgram", "serial", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "hogwild", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "hogwild++", "linear", 0.025, 0.9, 256, 16384, 5},
    {"skipgram", "conflict-free", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "cyclades", "linear", 0.025, 0.9, 1024, 4096, 5},
    {"skipgram", "round-robin", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "minibatch", "linear", 1.6, 0.9, 64, 4096, 5},
    {"skipgram", "local-sgd", "linear", 0.05, 0.9, 256, 65536, 5},
    {"skipgram", "replicated", "linear", 0.05, 0.9, 256, 65536, 5},
    {"network", "serial", "linear", 0.1, 0.9, 16, 4096, 5},
    {"network", "hogwild", "linear", 0.1, 0.9, 16, 4096, 5},
    {"network", "round-robin", "linear", 0.1, 0.9, 1, 4096, 5},
    {"network", "minibatch", "linear", 0.2, 0.9, 64, 4096, 5},
    {"network", "local-sgd", "linear", 0.1, 0.9, 16, 1024, 5},
    {"network", "async-local-sgd", "linear", 0.1, 0.9, 16, 128, 5},
    {"squared", "serial", "decay", 0.1, 0.9, 256, 4096, 10},
    {"squared", "hogwild", "decay", 0.1, 0.9, 256, 4096, 10},
    {"squared", "hogwild++", "decay", 0.1, 0.9, 256, 1024, 10},
    {"squared", "round-robin", "decay", 0.1, 0.9, 256, 4096, 10},
    {"squared", "conflict-free", "decay", 0.1, 0.9, 256, 4096, 10},
    {"squared", "cyclades", "decay", 0.1, 0.9, 1024, 4096, 10},
    {"squared", "minibatch", "decay", 1, 0.9, 64, 4096, 10},
    {"squared", "local-sgd", "decay", 0.2, 0.9, 256, 1024, 10},
    {"squared", "replicated", "decay", 0.2, 0.9, 256, 1024, 10},
    {"squared", "async-local-sgd", "decay", 0.1, 0.9, 256, 128, 10},
};

Plan with_defaults(std::string_view problem, std::string_view scheme) {
    Plan plan;
    plan.problem = problem;
    plan.scheme = scheme;
    set_defaults(plan, {.rows = 1'000'000});
    return plan;
}

} // namespace

TEST_CASE("a problem's row and a scheme's make what the pair was tuned to") {
    for (const Tuned& tuned : kTuned) {
        CAPTURE(tuned.problem);
        CAPTURE(tuned.scheme);
        const Plan plan = with_defaults(tuned.problem, tuned.scheme);
        CHECK(plan.step.kind == tuned.step);
        CHECK(plan.step.size == to_digits(tuned.size, 2));
        CHECK(plan.step.decay == tuned.decay);
        CHECK(plan.batch.size == tuned.batch);
        CHECK(plan.exchange.period == tuned.exchange);
        CHECK(plan.epochs == tuned.epochs);
    }
}

TEST_CASE("a problem without a row of its own warms up as a network does") {
    for (const std::string_view problem : {"squared", "network"})
        CHECK(with_defaults(problem, "hogwild").step.warm_up == 0.2);
    for (const std::string_view problem : {"hinge", "logistic", "factorization", "cut", "skipgram"})
        CHECK(with_defaults(problem, "hogwild").step.warm_up == 0);
}

TEST_CASE("whoever waits for backups steps as minibatch does") {
    for (const std::string_view problem : {"hinge", "network", "cut"}) {
        const Plan mean = with_defaults(problem, "minibatch"), first = with_defaults(problem, "backup-workers");
        CHECK(first.step.size == mean.step.size);
        CHECK(first.batch.size == mean.batch.size);
    }
}

TEST_CASE("the help of --step names the problems whose steps fall otherwise than its default") {
    std::string others;
    for (const std::string_view problem : catalog::names<Problems>) {
        const Plan plan = with_defaults(problem, "serial");
        if (plan.step.kind == Plan{}.step.kind) continue;
        CHECK(plan.step.kind == "linear");
        others += std::string(others.empty() ? "" : " and ") + std::string(problem);
    }
    CHECK(help_of(axis("step")).ends_with("; of " + others + " linear)"));
}
