// What the files of schemes share: their rows, and what several of them say of themselves.
//
// A scheme is a class of its own file, which ends with its row (engine/plan/scheme_traits.h); HOGWILD_SCHEMES lists the rows.
// Thread-safety: whoever takes a Job says so; all others are pure functions.
#pragma once

#include "engine/plan/scheme_traits.h"
#include "engine/record/snapshot.h"
#include "engine/schemes/scheme.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace hogwild {

// The rows, in the order of --scheme's names: HOGWILD_SCHEMES(X) is X(row) for each.
#define HOGWILD_SCHEMES(X)                                                                                             \
    X(kSerialScheme)                                                                                                   \
    X(kHogwildScheme)                                                                                                  \
    X(kRoundRobinScheme)                                                                                               \
    X(kConflictFreeScheme)                                                                                             \
    X(kMinibatchScheme)                                                                                                \
    X(kBackupWorkersScheme)                                                                                            \
    X(kLocalSgdScheme)                                                                                                 \
    X(kAsyncLocalSgdScheme)                                                                                            \
    X(kHogwildPpScheme)                                                                                                \
    X(kCycladesScheme)                                                                                                 \
    X(kReplicatedScheme)                                                                                               \
    X(kSvrgScheme)                                                                                                     \
    X(kSagaScheme)                                                                                                     \
    X(kColumnsScheme)

#define HOGWILD_DECLARE_ROW(row) extern const SchemeTraits row;
HOGWILD_SCHEMES(HOGWILD_DECLARE_ROW)
#undef HOGWILD_DECLARE_ROW

/// A row's factory.
template <class S>
std::unique_ptr<Scheme> make() {
    return std::make_unique<S>();
}

// Why schemes take no telemetry.
inline constexpr std::string_view kNoConcurrentWriters =
    "{} has no concurrent writers, so nothing is stale and nothing is lost";
inline constexpr std::string_view kNoProbes = "{} has no probes of staleness and lost updates; use --telemetry off";
inline constexpr std::string_view kClocksOfClusters =
    "the models of {} have clocks of their own, and telemetry has one; use --telemetry off";

// What snapshots lack.
inline constexpr std::string_view kNotExchanged = "what replicas have not exchanged is in no snapshot";
inline std::string_view remembered_slopes(const Plan&) { return "what {} remembers of its samples is in no snapshot"; }

/// Workers claim a chunk or a block at once, twice: what they walk, and what they claimed ahead.
std::uint64_t unsure_of_claims(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot);

/// A chunk, and what was consumed during the copy.
std::uint64_t unsure_of_a_chunk(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot);

/// Whether a problem's samples can lie in tiles (engine/data/shuffle.h). Precondition: the problem is in the catalog.
bool lies_in_tiles(std::string_view problem);

/// Nanoseconds a nonzero of workers on models of their own; of workers that share out a batch.
inline double own_model_cost(const Plan&, double threads) { return kStepCost / threads; }
double batch_cost(const Plan& plan, double threads);

/// Minibatch where a GPU takes the batches.
SchemeTotals run_on_gpu(Job& job);

/// Below it, before a batch, minibatch multiplies the scale of lazy L2 into the weights and starts again at 1.
inline constexpr double kSmallestScale = 0x1p-64;

/// An observation is due once chunk g is done, and whoever did it takes it (the last one is taken after the join).
bool is_due(Job& job, std::uint64_t g);

/// Chunk g is done: reports progress, and takes the observation that is due. `consumed`: samples that all workers have stepped
/// through when it is called.
void observe(Job& job, std::uint64_t g, const std::function<std::uint64_t()>& consumed);

} // namespace hogwild
