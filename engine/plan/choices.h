// What the names of a plan's choices stand for: one row of properties a name. Nobody else compares with these names.
//
// Schemes (engine/plan/scheme_traits.h), memories (engine/memory/memory_kind.h), staleness rules (kernels/steps/staleness_rule.h),
// update policies and guards (kernels/updates) have rows of their own. Names that are unknown have the properties of a table's first row: `validate` refuses them.
// Thread-safety: constants and pure functions.
#pragma once

#include "engine/memory/memory_kind.h"
#include "engine/plan/plan.h"
#include "kernels/updates/guards/traits.h"
#include "kernels/updates/traits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>

namespace hogwild {

/// In which order samples are visited (engine/order/order.h).
inline constexpr std::array<std::string_view, 3> kOrders = {"permutation", "replacement", "stored"};

struct DeviceTraits {
    std::string_view name;
    bool threads, gpu;     // who steps
    std::string_view home; // the memory that these are fastest on
};
inline constexpr DeviceTraits kDeviceTraits[] = {
    {"cpu", true, false, "host"},
    {"gpu", false, true, "device"},
    {"both", true, true, "replica"},
};

struct HotUpdateTraits {
    std::string_view name;
    bool elsewhere = false;  // increments of hot coordinates are not written as all others are
    bool collects = false;   // a worker collects them
    bool thins = false;      // some are left out
    bool replicates = false; // a worker has a replica of them
};
inline constexpr HotUpdateTraits kHotUpdateTraits[] = {
    {.name = "direct"},
    {.name = "delayed", .elsewhere = true, .collects = true},
    {.name = "thinned", .elsewhere = true, .thins = true},
    {.name = "replicated", .elsewhere = true, .replicates = true},
};

struct StepTraits {
    std::string_view name;
    bool decay = false, half_life = false, plateau = false; // what it has
    bool knows_end = false;                                 // it depends on the run's length
};
inline constexpr StepTraits kStepTraits[] = {
    {.name = "constant"},
    {.name = "decay", .decay = true},
    {.name = "inverse-time", .half_life = true},
    {.name = "linear", .knows_end = true},
    {.name = "backoff", .decay = true, .plateau = true},
};

struct CombineTraits {
    std::string_view name;
    bool measures = false; // shares follow curvatures, times --coupling
    bool averages = false; // a worker's share is 1 / workers
};
inline constexpr CombineTraits kCombineTraits[] = {
    {.name = "sequential", .measures = true},
    {.name = "sum"},
    {.name = "average", .averages = true},
};

struct BatchRuleTraits {
    std::string_view name;
    bool adapts = false;       // batches change during the run
    bool scales_steps = false; // step sizes grow with them
};
inline constexpr BatchRuleTraits kBatchRuleTraits[] = {
    {.name = "fixed"},
    {.name = "adaptive", .adapts = true},
    {.name = "adaptive-linear", .adapts = true, .scales_steps = true},
};

struct StateTraits {
    std::string_view name;
    bool per_device = false, per_worker = false; // else workers on one buffer share one
};
inline constexpr StateTraits kStateTraits[] = {
    {.name = "shared"},
    {.name = "per-device", .per_device = true},
    {.name = "per-worker", .per_worker = true},
};

/// The row of that name; the first where there is none.
template <class Row, std::size_t size>
constexpr const Row& choice_named(const Row (&rows)[size], std::string_view name) {
    const Row* const row = std::ranges::find(rows, name, &Row::name);
    return row == rows + size ? rows[0] : *row;
}

/// The names of a table's rows, in their order.
template <const auto& rows>
std::span<const std::string_view> names_of() {
    static constexpr auto kNames = [] {
        std::array<std::string_view, std::size(rows)> names{};
        std::ranges::transform(rows, names.begin(), [](const auto& row) { return row.name; });
        return names;
    }();
    return kNames;
}

inline const DeviceTraits& device_traits(const Plan& plan) { return choice_named(kDeviceTraits, plan.device); }
inline const HotUpdateTraits& hot_traits(const Plan& plan) { return choice_named(kHotUpdateTraits, plan.hot.updates); }
inline const StepTraits& step_traits(const Plan& plan) { return choice_named(kStepTraits, plan.step.kind); }
inline const CombineTraits& combine_traits(const Plan& plan) {
    return choice_named(kCombineTraits, plan.exchange.combine);
}
inline const BatchRuleTraits& batch_rule_traits(const Plan& plan) {
    return choice_named(kBatchRuleTraits, plan.batch.rule);
}

inline const StateTraits& state_traits(const Plan& plan) { return choice_named(kStateTraits, plan.optimizer.state); }

/// What holds of the plan's guard and update policy, which say it themselves. Preconditions: their names are known.
const GuardTraits& guard_traits(const Plan& plan);
const UpdateTraits& update_traits(const Plan& plan);

/// What the plan's memory, numbers and rounding make together, and its name.
MemoryKind memory_kind(const Plan& plan);
std::string memory_name(const Plan& plan);

/// Sets all three, by a kind or its name. Precondition: a kind has the name.
void set_memory(Plan& plan, const MemoryKind& kind);
void set_memory(Plan& plan, std::string_view name);

/// Whether threads and a GPU step side by side.
inline bool on_both(const Plan& plan) { return device_traits(plan).threads && device_traits(plan).gpu; }

/// Whether anything is counted, and whether every increment is.
inline bool has_telemetry(const Plan& plan) { return plan.telemetry != "off"; }
inline bool counts_all(const Plan& plan) { return plan.telemetry == "exact"; }

/// Whether stale steps are taken otherwise than fresh ones.
inline bool has_rule(const Plan& plan) { return plan.staleness.rule != "none"; }

/// Whether a network's steps are on a copy of its weights.
inline bool reads_copy(const Plan& plan) { return plan.network.read == "copy"; }

/// Whether GPU workers are asked to replay graphs of a network's step, and to multiply in tf32.
inline bool wants_graphs(const Plan& plan) { return plan.gpu.steps == "graphs"; }
inline bool uses_tf32(const Plan& plan) { return plan.gpu.products == "tf32"; }

/// Whether a network's steps are gradients times a step size, and nothing else.
inline bool is_plain_sgd(const Plan& plan) { return plan.optimizer.name == "sgd"; }

} // namespace hogwild
