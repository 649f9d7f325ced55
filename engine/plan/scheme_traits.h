// What a scheme is and takes: one row of properties each, which its own file in engine/schemes declares. Nobody else compares with its name.
//
// A row answers who writes what, how often models meet, which axes it takes, and what it costs in memory and time. It
// says too what a snapshot of the scheme lacks, and who makes it. engine/schemes/scheme_list.cpp gathers the rows; the
// order there is the order of --scheme's names. Includes: this header knows no scheme, and engine/plan includes nothing
// of engine/schemes. `scheme_traits` is linked from there.
// Unknown names: engine/plan/choice_rows.h, and nobody makes their scheme.
// Thread-safety: rows are constants that exist before any code runs; all functions are pure.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hogwild {

struct Plan;
struct Snapshot;
struct Kernels;
class AnyView;
class Scheme;

enum class SchemeKind {
    kSerial,
    kSync,  // workers wait for each other's steps, models or averages
    kAsync, // nobody waits
};

/// In the order of SchemeKind.
inline constexpr std::array<std::string_view, 3> kKinds{"serial", "sync", "async"};

enum class Writers {
    kOne,      // one worker
    kTurns,    // one after the other, in the samples' order
    kDisjoint, // side by side, where nobody writes what another reads
    kOwn,      // each its own coordinates, or a model of its own
    kRacing,   // everybody, everywhere
};

/// Models besides the one that is observed.
enum class Replication { kNone, kPerWorker, kPerCluster };

/// What becomes of what replicas have learnt.
enum class Merging {
    kNone,      // there are no replicas
    kAverages,  // models are averaged
    kExchanges, // increments are exchanged
};

/// What a step takes.
enum class StepsOn {
    kSamples, // one by one; of networks a batch
    kBatches, // the mean of a batch, under every problem
    kSlopes,  // a sample, corrected by what is remembered of samples (kernels/steps/variance_reduction.h)
    kColumns, // a column of the samples: the weight of one coordinate (kernels/steps/column_steps.h)
};

/// Which update policies are its choice where no guard is held.
enum class UpdateChoice { kNone, kMargins, kAll }; // kMargins: racy and atomic

/// What a GPU does.
enum class OnGpu {
    kNothing,
    kStreams, // streams step beside threads, or alone, in any memory
    kBatches, // it takes the batches, in its own memory
    kTeams,   // of networks, teams step on replicas
};

/// Samples that a snapshot may lack or have twice: see unsure_samples in engine/run.h.
using UnsureSamples = std::uint64_t (*)(const Plan&, std::uint64_t rows, const Snapshot&);

struct SchemeTraits {
    std::string_view name{};
    std::string_view about{}; // who works when, for people
    SchemeKind kind = SchemeKind::kAsync;
    Writers writers = Writers::kRacing;
    Replication replicas = Replication::kNone;
    Merging merging = Merging::kNone;
    StepsOn steps_on = StepsOn::kSamples;
    OnGpu on_gpu = OnGpu::kNothing;

    // Axes that it takes.
    UpdateChoice updates = UpdateChoice::kNone;
    bool guards = false;
    bool staleness_rules = false;
    bool layer_updates = false;
    bool hot_updates = false;
    bool short_numbers = false;      // weights of 16 and 8 bits under CPU threads
    bool optimizer_states = false;   // whether workers share an optimiser's state
    bool backups = false;            // a number of workers that a step does not wait for
    bool batches = false;            // a batch, under every problem
    std::uint32_t usual_batch = 256; // of problems whose steps take single samples

    /// Why it takes no telemetry: a sentence with {} for its name. Empty: it does.
    std::string_view no_telemetry{};

    /// Why snapshots do not say all that it takes to go on: a sentence with {} for its name. Null: they do.
    std::string_view (*lacks)(const Plan&) = nullptr;

    /// Where several workers step. Null: every sample is in the snapshot that is due.
    UnsureSamples unsure = nullptr;

    /// Arrays of the model's size that it holds besides the buffer, and bytes besides. Null: one and none.
    std::uint64_t (*models)(const Plan&) = nullptr;
    std::uint64_t (*bytes)(const Plan&, const AnyView&, const Kernels&) = nullptr;

    /// Nanoseconds a nonzero of sparse rows, of all CPU threads together. Null: kStepCost.
    double (*cost)(const Plan&, double threads) = nullptr;

    std::unique_ptr<Scheme> (*make)() = nullptr;

    /// Whether workers have replicas, and exchange increments of them without waiting.
    constexpr bool exchanges() const { return replicas == Replication::kPerWorker && merging == Merging::kExchanges; }
    constexpr bool has_clusters() const { return replicas == Replication::kPerCluster; }
    constexpr bool is_conflict_free() const { return writers == Writers::kDisjoint; }
    constexpr bool is_minibatch() const { return steps_on == StepsOn::kBatches; }
    constexpr bool corrects_steps() const { return steps_on == StepsOn::kSlopes; }
    constexpr bool steps_on_columns() const { return steps_on == StepsOn::kColumns; }

    /// Whether weights do not depend on how fast its workers are: all wait for each other, and nobody writes what another reads.
    constexpr bool is_repeatable() const {
        return kind == SchemeKind::kSync && !backups && (writers == Writers::kOwn || writers == Writers::kDisjoint);
    }

    /// Whether its steps are on doubles where numbers are fp64.
    constexpr bool steps_on_doubles() const { return corrects_steps() || steps_on_columns(); }
};

/// Nanoseconds of one thread's step on a sparse row, a nonzero (experiments/cost/estimate.h).
inline constexpr double kStepCost = 1.4;

/// Every scheme's row, in the order of their names on a command line.
std::span<const SchemeTraits* const> all_schemes();

/// The row of that name.
const SchemeTraits& scheme_traits(std::string_view name);
const SchemeTraits& scheme_traits(const Plan& plan);

/// Whether it is the yardstick: one worker, alone.
inline bool is_serial(const Plan& plan) { return scheme_traits(plan).kind == SchemeKind::kSerial; }

/// Whether each worker has an optimiser's state of its own: with its replica, or where the plan says so.
bool has_own_states(const Plan& plan);

/// One of kKinds.
std::string_view kind_of(std::string_view scheme);

/// The names, in the order of the rows.
std::span<const std::string_view> scheme_names();

/// The names of those that `has` is true of: "svrg, saga and columns".
std::string schemes_where(bool (*has)(const SchemeTraits&));

} // namespace hogwild
