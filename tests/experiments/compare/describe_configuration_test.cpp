#include "experiments/compare/describe_configuration.h"
#include "experiments/folder/result.h"

#include "engine/plan/axes.h"
#include "engine/plan/plan.h"
#include "experiments/compare/compare_groups.h"
#include "tests/experiments/summaries.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace hogwild {
namespace {

/// Every column that says what was asked for has a plan's default.
SummaryRow usual_row() {
    SummaryRow row;
    for (const std::string_view column : asked_columns()) {
        const Axis* const known = find_axis(column);
        row.cells.emplace(column, known == nullptr ? "1" : written(value_of(*known, Plan{})));
    }
    return row;
}

SummaryRow with(SummaryRow row, const std::vector<std::pair<std::string, std::string>>& cells) {
    for (const auto& [column, cell] : cells) row.cells.insert_or_assign(column, cell);
    return row;
}

std::string described(const Result& run) {
    const Scratch scratch;
    const Summary summary = read_summary(made_up_folder(scratch.path / "a", {run}).string(), {});
    return describe_configuration(summary.rows.front());
}

TEST_CASE("configurations that differ in anything but what is minimised are told apart") {
    const std::vector<std::string_view> objective = objective_columns();
    const SummaryRow usual = usual_row();
    for (const std::string_view column : asked_columns()) {
        SummaryRow other = with(usual, {{std::string(column), "0.123"}});
        if (column == "memory") other = with(other, {{"memory", "host-int8"}});
        if (column == "gpu_steps") other = with(other, {{"blocks", ""}}); // who replays graphs has none
        const bool alike = describe_configuration(usual) == describe_configuration(other);
        CHECK_MESSAGE(alike == (std::ranges::find(objective, column) != objective.end()), column);
    }
}

TEST_CASE("a run on threads is its method, its threads, its steps and what is unusual of it") {
    Result run = made_up_run("hogwild", 2, 1, 1);
    CHECK(described(run) == "hogwild racy, 2 threads, decay step 0.1 x 0.9");
    run.plan.guard = "locked";
    run.plan.epochs = 20;
    run.plan.order = "stored";
    run.plan.placement = "hot-first";
    run.plan.hot.count = 64;
    CHECK(described(run) ==
          "hogwild locked, 2 threads, hot-first placement, 64 hot, decay step 0.1 x 0.9, order stored, epochs 20");
    CHECK(described(made_up_run("serial", 1, 1, 1)) == "serial, decay step 0.1 x 0.9");
}

TEST_CASE("a memory is named beside a GPU, and on threads where it is unusual") {
    const SummaryRow usual = usual_row();
    const auto has = [](const SummaryRow& row, const std::string& words) {
        return describe_configuration(row).find(words) != std::string::npos;
    };
    CHECK_FALSE(has(usual, "host"));
    CHECK(has(with(usual, {{"memory", "host-bf16"}}), ", host-bf16 memory"));
    CHECK(has(with(usual, {{"device", "both"}, {"memory", "mapped"}}), " on both devices"));
    CHECK(has(with(usual, {{"device", "both"}, {"memory", "mapped"}}), ", mapped memory"));
    const SummaryRow gpu = with(usual, {{"device", "gpu"}, {"streams", "4"}, {"blocks", "66"}});
    CHECK(has(gpu, ", 4 streams of 66 blocks"));
    CHECK(has(with(gpu, {{"problem", "network"}, {"gpu_steps", "graphs"}, {"blocks", ""}}), ", 4 streams of graphs"));
}

TEST_CASE("a configuration is described in the words of the axes' rows") {
    Plan plan;
    plan.threads = 4;
    plan.scheme = "async-local-sgd";
    plan.exchange.period = 128;
    plan.exchange.doublings = 3;
    const SummaryRow row = with(usual_row(), {{"scheme", plan.scheme},
                                              {"threads", "4"},
                                              {"update", ""},
                                              {"guard", ""},
                                              {"exchange", "128"},
                                              {"exchange_doublings", "3"}});
    CHECK(describe(plan) == plan.problem + ' ' + describe_configuration(row));
}

TEST_CASE("what becomes of hot coordinates is told once, and cells of another version by their columns") {
    const SummaryRow usual = usual_row();
    CHECK(describe_configuration(with(usual, {{"update", "racy+delayed"}})).starts_with("hogwild racy+delayed, "));
    CHECK(describe_configuration(with(usual, {{"update", "racy+delayed"}})).find("update") == std::string::npos);
    CHECK(describe_configuration(with(usual, {{"scheme", "hogwild-3"}})).starts_with("hogwild-3, "));
    CHECK(describe_configuration(with(usual, {{"update", "racier"}})).ends_with(", update racier"));
}

TEST_CASE("numbers are usual however they are written, and what the reader knows is left out") {
    const SummaryRow usual = usual_row();
    CHECK(describe_configuration(with(usual, {{"beta1", "9e-1"}})) == describe_configuration(usual));
    const SummaryRow longer = with(usual, {{"epochs", "1200"}});
    CHECK(describe_configuration(longer) == describe_configuration(usual) + ", epochs 1,200");
    CHECK(describe_configuration(longer, {"epochs"}) == describe_configuration(usual));
}

} // namespace
} // namespace hogwild
