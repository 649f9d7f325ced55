#include "experiments/folder/outcome_json.h"

#include "experiments/text/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace hogwild;

TEST_CASE("an outcome comes back from its text with the same bits, numbers that are not finite too") {
    Outcome outcome;
    outcome.status = "diverged";
    outcome.reason = "the loss rose; \"\xff\"";
    outcome.seconds = 0.1 + 1e-17;
    outcome.updates = ~std::uint64_t{0};
    outcome.worker_updates = {7, 0, ~std::uint64_t{0} - 7};
    outcome.worker_exchanges = {{12, 3}, {~std::uint64_t{0}, 0}};
    outcome.telemetry.staleness = {
        .count = 3, .mean = 1.0 / 3, .counts = {{0, 0, 2}, {~std::uint64_t{0} - 7, ~std::uint64_t{0}, 1}}};
    outcome.disturbance = {.core_wait_seconds = 0.1, .other_cpu_seconds = -0.01, .stolen_cpu_seconds = kNone};
    outcome.telemetry.increments_lost = 7;
    outcome.telemetry.layers = {{.count = 3, .max = 2, .counts = {{0, 0, 1}, {2, 2, 2}}}, {}};
    outcome.telemetry.gradients_dropped = 9;
    outcome.batches = {{40, {{0, 16, 0}}}, {30, {{0, 16, 0}, {1.0 / 3, 32, 9}}}};
    outcome.gpu = {.updates = 5, .bridge_rounds = 8, .increments_issued = 6, .staleness = {.count = 1, .max = 1e300}};
    outcome.gpu.team_updates = {3, 0, 2};
    outcome.gpu.layers = {{}, {.count = 2, .max = 1, .counts = {{1, 1, 2}}}};
    outcome.observations = {{.seconds = 0.5, .train_loss = std::numeric_limits<double>::infinity()}, {.updates = 9}};
    const std::string text = json_text(outcome_json(outcome));
    CHECK(json_text(outcome_json(outcome_of(json_of(text)))) == text);
    const Outcome back = outcome_of(json_of(text));
    CHECK(back.seconds == outcome.seconds);
    CHECK(back.updates == outcome.updates);
    CHECK(back.worker_updates == outcome.worker_updates);
    REQUIRE(back.worker_exchanges.size() == 2);
    CHECK(back.worker_exchanges[0].due == 12);
    CHECK(back.worker_exchanges[0].put_off == 3);
    CHECK(back.worker_exchanges[1].due == ~std::uint64_t{0});
    CHECK(back.observations[0].train_loss == std::numeric_limits<double>::infinity());
    CHECK(std::isnan(back.observations[1].train_loss));
    CHECK(back.observations[1].updates == 9);
    CHECK(back.gpu.bridge_rounds == 8);
    CHECK(back.gpu.team_updates == outcome.gpu.team_updates);
    CHECK(back.gpu.staleness.max == 1e300);
    REQUIRE(back.telemetry.layers.size() == 2);
    CHECK(back.telemetry.layers[0].max == 2);
    CHECK(back.telemetry.layers[0].counts.size() == 2);
    CHECK(back.telemetry.layers[1].count == 0);
    REQUIRE(back.gpu.layers.size() == 2);
    CHECK(back.gpu.layers[1].counts.size() == 1);
    CHECK(back.telemetry.gradients_dropped == 9);
    CHECK(back.telemetry.increments_lost == 7);
    CHECK(back.batches.cpu.steps == 40);
    CHECK(back.batches.cpu.batches.size() == 1);
    REQUIRE(back.batches.gpu.batches.size() == 2);
    CHECK(back.batches.gpu.batches[1].seconds == 1.0 / 3);
    CHECK(back.batches.gpu.batches[1].batch == 32);
    CHECK(back.batches.gpu.batches[1].steps == 9);
}
