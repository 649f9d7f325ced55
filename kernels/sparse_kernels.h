// Every compiled kernel of one problem, by policy, guard, probe and instruction set.
//
// Only combinations that mean something exist: locks already exclude other writers, so a guard other than `none` goes with
// racy; the in-turn guard is round-robin's. The rest are null. A problem's table is compiled in a translation unit of its
// own (engine/workers/sparse_kernels.cpp.in).
#pragma once

#include "kernels/catalog.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/probes/delayed.h"
#include "kernels/probes/exact.h"
#include "kernels/probes/none.h"
#include "kernels/probes/sampled.h"
#include "kernels/sparse_batch.h"
#include "kernels/sparse_steps.h"
#include "kernels/updates/guards/global_lock.h"
#include "kernels/updates/guards/in_turn.h"
#include "kernels/updates/guards/locked.h"
#include "kernels/updates/guards/locked_read.h"
#include "kernels/updates/guards/none.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <variant>

namespace hogwild {

// Type lists, never instantiated.
using Guards = std::variant<NoGuard, Locked, LockedRead, GlobalLock, InTurn>;
using Probes = std::variant<NoProbe, SampledProbe, ExactProbe>;

template <class T>
using PerSet = std::array<T, kInstructionSets>;

struct SparseKernels {
    using Steps = void (*)(const SparseView&, const Chunk&, WorkerContext&);
    using Slopes = void (*)(const SparseView&, const BatchSlopes&);
    using Apply = void (*)(const SparseView&, const BatchApply&);
    using MeanLoss = double (*)(const SparseView&, const std::uint32_t*, std::uint32_t, const float*, float);

    struct StepForms {
        PerSet<Steps> by_set{};
        Steps delayed = nullptr; // by WorkerContext::delay; the scalar form serves all instruction sets
    };

    // steps[update][guard][probe]
    using ByProbe = std::array<StepForms, std::variant_size_v<Probes>>;
    using ByGuard = std::array<ByProbe, std::variant_size_v<Guards>>;
    std::array<ByGuard, std::variant_size_v<Updates>> steps{};
    PerSet<Slopes> slopes{};
    PerSet<Apply> apply{};
    MeanLoss mean_loss = nullptr;
};

/// The table of problem P.
template <LinearProblem P>
const SparseKernels& sparse_kernels();

namespace kernel_table {

template <class Update, class Guard>
inline constexpr bool kMeaningful = std::same_as<Guard, NoGuard> || std::same_as<Update, Racy>;

template <class P, class Update, class Guard, class Probe>
struct StepsBody {
    template <class Lanes>
    static void run(const SparseView& data, const Chunk& chunk, WorkerContext& context) {
        sparse_steps<P, Lanes, Update, Guard, Probe>(data, chunk, context);
    }
};

template <class P>
struct SlopesBody {
    template <class Lanes>
    static void run(const SparseView& data, const BatchSlopes& batch) {
        batch_slopes<P, Lanes>(data, batch);
    }
};

struct ApplyBody {
    template <class Lanes>
    static void run(const SparseView& data, const BatchApply& batch) {
        batch_apply<Lanes>(data, batch);
    }
};

template <class Body, class... Arguments>
constexpr PerSet<void (*)(Arguments...)> on_all_sets() {
    using On = OnLanes<Body, Arguments...>;
    return {On::scalar, On::avx2, On::avx512};
}

template <class P, class Update, class Guard, class Probe>
using OnSteps = OnLanes<StepsBody<P, Update, Guard, Probe>, const SparseView&, const Chunk&, WorkerContext&>;

template <class P, class Update, class Guard, class Probe>
constexpr SparseKernels::StepForms steps_for() {
    using On = OnSteps<P, Update, Guard, Probe>;
    if constexpr (!kMeaningful<Update, Guard>) {
        return {};
    } else {
        constexpr auto delayed = OnSteps<P, Update, Guard, Delayed<Probe>>::scalar;
        if constexpr (std::same_as<Probe, ExactProbe>) { // never timed: the scalar form serves all sets
            return {{On::scalar, On::scalar, On::scalar}, delayed};
        } else {
            return {{On::scalar, On::avx2, On::avx512}, delayed};
        }
    }
}

template <class P, class Update, class Guard, class... Probe>
constexpr SparseKernels::ByProbe per_probe(const std::variant<Probe...>*) {
    return {steps_for<P, Update, Guard, Probe>()...};
}

template <class P, class Update, class... Guard>
constexpr SparseKernels::ByGuard per_guard(const std::variant<Guard...>*) {
    return {per_probe<P, Update, Guard>(static_cast<const Probes*>(nullptr))...};
}

template <class P, class... Update>
constexpr SparseKernels make(const std::variant<Update...>*) {
    SparseKernels kernels;
    kernels.steps = {per_guard<P, Update>(static_cast<const Guards*>(nullptr))...};
    kernels.slopes = on_all_sets<SlopesBody<P>, const SparseView&, const BatchSlopes&>();
    kernels.apply = on_all_sets<ApplyBody, const SparseView&, const BatchApply&>();
    kernels.mean_loss = mean_loss<P>;
    return kernels;
}

} // namespace kernel_table

} // namespace hogwild
