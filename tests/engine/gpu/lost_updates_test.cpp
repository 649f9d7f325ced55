// The lost-update meter in every cell: kind of memory x update policy x who steps.
#include "engine/plan/plan.h"
#include "engine/run.h"

#include "engine/error.h"
#include "engine/plan/choices.h"
#include "kernels/catalog.h"
#include "tests/device.h"
#include "tests/engine/schemes/exact_run.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRows = 20'000, kNonzeros = 3;

/// Nothing where this GPU cannot: managed memory that CPU threads may not touch while it works.
std::optional<Outcome> attempt(const Plan& plan, const Dataset& data, std::string& why) {
    try {
        return run(plan, {data});
    } catch (const Error& error) {
        if (error.failure() != Failure::kMissing) throw;
        why = error.what();
        return {};
    }
}

/// An atomic increment is one for everybody who increments the same cells. (A replica's two arrays have a side each, and its
/// bridge keeps what either adds.)
bool atomic_for_all(const Plan& plan, const GpuShare& gpu) {
    return plan.update != Racy::name && (!gpu.shares_cells || gpu.cells_are_atomic);
}

void check_laws(const Plan& plan, const Outcome& outcome) {
    const Telemetry& meter = outcome.telemetry;
    const bool one_array = is_one_buffer(memory_kind(plan));
    CHECK(outcome.status == "done");
    CHECK(outcome.updates == std::uint64_t{plan.epochs} * kRows);
    CHECK(meter.increments_issued == kNonzeros * outcome.updates);
    CHECK(outcome.gpu.increments_issued == kNonzeros * outcome.gpu.updates);
    if (plan.device == "cpu") CHECK(outcome.gpu.updates == 0);
    if (plan.device == "gpu") CHECK(outcome.gpu.updates == outcome.updates);
    CHECK(outcome.gpu.shares_cells == (plan.device == "both" && one_array));
    if (!outcome.gpu.shares_cells) CHECK_FALSE(outcome.gpu.cells_are_atomic);
    CHECK(meter.increments_lost <= meter.increments_issued);
    if (atomic_for_all(plan, outcome.gpu)) CHECK(meter.increments_lost == 0);
}

std::string said(const Plan& plan, const Outcome& outcome) {
    const Telemetry& meter = outcome.telemetry;
    return fmt::format(
        "lost: {:<14} {:<11} {:<4} {:7.3f} % of {}, {} of them by the GPU{}\n", plan.memory, plan.update, plan.device,
        100.0 * static_cast<double>(meter.increments_lost) / static_cast<double>(meter.increments_issued),
        meter.increments_issued, outcome.gpu.increments_issued,
        !outcome.gpu.shares_cells      ? ""
        : outcome.gpu.cells_are_atomic ? "; CPU-GPU atomic"
                                       : "; CPU-GPU not atomic");
}

void check_cells(const std::vector<std::string_view>& memories) {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(kRows));
    std::string table;
    for (const std::string_view memory : memories) {
        for (const std::string_view update : catalog::names<Updates>) {
            for (const std::string_view device : {"cpu", "gpu", "both"}) {
                Plan plan = exact_plan("hogwild", 2);
                set_memory(plan, memory);
                plan.update = update;
                plan.device = device;
                plan.telemetry = "exact";
                plan.gpu.blocks = 16;
                plan.observations_per_epoch = 1;
                if (!why_not(plan, data).empty()) continue; // no such cell
                INFO(memory, ", ", update, ", ", device);
                std::string why;
                const std::optional<Outcome> outcome = attempt(plan, data, why);
                if (outcome) check_laws(plan, *outcome);
                table += outcome ? said(plan, *outcome)
                                 : fmt::format("lost: {:<14} {:<11} {:<4} left out: {}\n", memory, update, device, why);
            }
        }
    }
    MESSAGE("increments lost by each cell\n" << table);
}

} // namespace

// In every cell each increment is counted once, and atomic loses none wherever it is atomic for all.

TEST_CASE("cells of memory that one side has at a time") {
    check_cells({"device", "replica", "managed", "managed-host", "managed-device"});
}

TEST_CASE("cells of host memory" * doctest::test_suite("no tool")) { check_cells({"host", "mapped"}); }
