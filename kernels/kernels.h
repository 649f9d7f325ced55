// Every compiled kernel of one problem, by policy, guard, probe and instruction set; those that mean nothing are null
// (kernels/meaningful.h). A problem's table is compiled in a translation unit of its own (engine/workers/kernels.cpp.in).
#pragma once

#include "kernels/catalog.h"
#include "kernels/guards.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/meaningful.h"
#include "kernels/patterns/edge_ends.h"
#include "kernels/patterns/factor_pairs.h"
#include "kernels/patterns/image_batches.h"
#include "kernels/patterns/sparse_rows.h"
#include "kernels/patterns/token_windows.h"
#include "kernels/probes/delayed.h"
#include "kernels/probes/exact.h"
#include "kernels/probes/none.h"
#include "kernels/probes/sampled.h"
#include "kernels/steps/steps.h"
#include "kernels/views/any_view.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace hogwild {

// Never instantiated.
using Probes = std::variant<NoProbe, SampledProbe, ExactProbe>;

template <class T>
using PerSet = std::array<T, kInstructionSets>;

struct Kernels {
    using Steps = void (*)(const AnyView&, const Chunk&, WorkerContext&);
    using Emit = void (*)(const AnyView&, const BatchEmit&);
    using Apply = void (*)(const AnyView&, const BatchApply&);
    using MeanLoss = double (*)(const AnyView&, const std::uint32_t*, std::uint32_t, const float*, float, float*);

    struct StepForms {
        PerSet<Steps> by_set{};
        Steps delayed = nullptr; // by WorkerContext::delay; the scalar form serves all instruction sets
    };

    // steps[update][guard][probe]
    using ByProbe = std::array<StepForms, std::variant_size_v<Probes>>;
    using ByGuard = std::array<ByProbe, std::variant_size_v<Guards>>;
    std::array<ByGuard, std::variant_size_v<Updates>> steps{};
    std::uint32_t (*emission)(const AnyView&) = nullptr; // floats a sample, kernels/steps/batch.h
    std::uint32_t (*together)(const AnyView&) = nullptr; // samples, likewise
    PerSet<Emit> emit{};
    PerSet<Apply> apply{};
    MeanLoss mean_loss = nullptr;

    // What the access pattern says (kernels/steps/steps.h).
    bool shrinks_all = true;
    std::span<const Parameter> parameters{};
    bool takes_network = false, takes_batches = false;
    std::uint64_t (*coordinates)(const AnyView&, const ModelChoice&) = nullptr;
    AnyView (*bound)(const AnyView&, const ModelChoice&) = nullptr;
    std::size_t (*scratch)(const AnyView&) = nullptr; // floats, likewise step_scratch
    std::size_t (*step_scratch)(const AnyView&, std::uint32_t, bool) = nullptr;
    void (*initialise)(const AnyView&, std::uint64_t, float*, std::uint32_t,
                       std::uint32_t) = nullptr; // weights [begin, end)
};

/// The table of problem P. Its functions take samples of P's access pattern.
template <class P>
const Kernels& kernels_of();

namespace kernel_table {

template <class P>
const auto& view_for(const AnyView& data) {
    return data.as<typename P::Pattern::View>();
}

template <class P, class Update, class Guard, class Probe>
struct StepsBody {
    template <class Lanes>
    static void run(const AnyView& data, const Chunk& chunk, WorkerContext& context) {
        hogwild::steps<P, Lanes, Update, Guard, Probe>(view_for<P>(data), chunk, context);
    }
};

template <class P>
struct EmitBody {
    template <class Lanes>
    static void run(const AnyView& data, const BatchEmit& batch) {
        P::Pattern::template emit<P, Lanes>(view_for<P>(data), batch);
    }
};

template <class P>
struct ApplyBody {
    template <class Lanes>
    static void run(const AnyView& data, const BatchApply& batch) {
        P::Pattern::template apply<Lanes>(view_for<P>(data), batch);
    }
};

template <class Body, class... Arguments>
constexpr PerSet<void (*)(Arguments...)> on_all_sets() {
    using On = OnLanes<Body, Arguments...>;
    return {On::scalar, On::avx2, On::avx512};
}

template <class P, class Update, class Guard, class Probe>
using OnSteps = OnLanes<StepsBody<P, Update, Guard, Probe>, const AnyView&, const Chunk&, WorkerContext&>;

template <class P, class Update, class Guard, class Probe>
constexpr Kernels::StepForms steps_for() {
    if constexpr (!is_meaningful<P, Update, Guard, Probe>()) {
        return {};
    } else {
        using On = OnSteps<P, Update, Guard, Probe>;
        constexpr auto delayed = OnSteps<P, Update, Guard, Delayed<Probe>>::scalar;
        if constexpr (std::same_as<Probe, ExactProbe>) { // never timed: the scalar form serves all sets
            return {{On::scalar, On::scalar, On::scalar}, delayed};
        } else {
            return {{On::scalar, On::avx2, On::avx512}, delayed};
        }
    }
}

template <class P, class Update, class Guard, class... Probe>
constexpr Kernels::ByProbe per_probe(const std::variant<Probe...>*) {
    return {steps_for<P, Update, Guard, Probe>()...};
}

template <class P, class Update, class... Guard>
constexpr Kernels::ByGuard per_guard(const std::variant<Guard...>*) {
    return {per_probe<P, Update, Guard>(static_cast<const Probes*>(nullptr))...};
}

template <class P, class... Update>
constexpr Kernels make(const std::variant<Update...>*) {
    Kernels kernels;
    kernels.steps = {per_guard<P, Update>(static_cast<const Guards*>(nullptr))...};
    kernels.emission = [](const AnyView& data) { return P::Pattern::emission(view_for<P>(data)); };
    kernels.together = [](const AnyView& data) {
        if constexpr (requires { P::Pattern::together(view_for<P>(data)); })
            return P::Pattern::together(view_for<P>(data));
        return 1u;
    };
    kernels.emit = on_all_sets<EmitBody<P>, const AnyView&, const BatchEmit&>();
    kernels.apply = on_all_sets<ApplyBody<P>, const AnyView&, const BatchApply&>();
    kernels.mean_loss = [](const AnyView& data, const std::uint32_t* samples, std::uint32_t count, const float* weights,
                           float scale, float* scratch) {
        return P::Pattern::template mean_loss<P>(view_for<P>(data), samples, count, weights, scale, scratch);
    };
    using Pattern = typename P::Pattern;
    kernels.shrinks_all = Pattern::kShrinksAll;
    kernels.parameters = Pattern::kParameters;
    kernels.takes_network = TakesNetwork<Pattern>;
    kernels.takes_batches = TakesBatches<Pattern>;
    kernels.coordinates = [](const AnyView& data, const ModelChoice& model) {
        return Pattern::coordinates(view_for<P>(data), model);
    };
    kernels.bound = [](const AnyView& data, const ModelChoice& model) {
        return AnyView(Pattern::bound(view_for<P>(data), model));
    };
    kernels.scratch = [](const AnyView& data) {
        if constexpr (requires { Pattern::scratch(view_for<P>(data)); }) return Pattern::scratch(view_for<P>(data));
        return std::size_t{0};
    };
    kernels.step_scratch = [](const AnyView& data, std::uint32_t batch, bool copies) {
        if constexpr (requires { Pattern::step_scratch(view_for<P>(data), batch, copies); })
            return Pattern::step_scratch(view_for<P>(data), batch, copies);
        return std::size_t{0};
    };
    kernels.initialise = [](const AnyView& data, std::uint64_t seed, float* weights, std::uint32_t begin,
                            std::uint32_t end) {
        for (std::uint32_t j = begin; j < end; ++j) weights[j] = Pattern::initial(view_for<P>(data), seed, j);
    };
    return kernels;
}

} // namespace kernel_table

} // namespace hogwild
