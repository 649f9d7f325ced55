// The rows of properties of a plan's names, for whoever has a name and no plan (engine/plan/choices.h has those of a plan).
// Unknown names are for `validate` to refuse. Till then whoever has one gets a row: here the first, of problems, schemes and
// optimisers an empty one, which takes nothing. The kernels' catalog alone (kernels/catalog.h) wants known names.
// Thread-safety: constants.
#pragma once

#include "engine/named_rows.h"

#include <string_view>

namespace hogwild {

/// In which order samples are visited (engine/order/order.h).
struct OrderTraits {
    std::string_view name;
    bool permutes = false; // every sample once an epoch, each epoch in another order
    bool repeats = false;  // a sample is drawn, and may come again within an epoch
};
inline constexpr OrderTraits kOrderTraits[] = {
    {.name = "permutation", .permutes = true},
    {.name = "replacement", .repeats = true},
    {.name = "stored"},
};

/// Where threads are bound (engine/workers/placement.h).
enum class Pin { kNone, kCores, kNuma };
struct PinTraits {
    std::string_view name;
    Pin pin;
};
inline constexpr PinTraits kPinTraits[] = {
    {"none", Pin::kNone},
    {"cores", Pin::kCores},
    {"numa", Pin::kNuma},
};

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

} // namespace hogwild
