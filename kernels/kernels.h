// Every compiled kernel of one problem, by policy, guard, probe and instruction set; those that mean nothing are null
// (kernels/meaningful.h). A problem's table is compiled in a translation unit of its own, or in one for each instruction set
// (engine/workers/kernels.cpp.in).
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

    /// What is compiled for one instruction set; of the exact probe, which is never timed, the scalar form serves all.
    struct OnSet {
        template <class T>
        using PerStep = std::array<std::array<std::array<T, std::variant_size_v<Probes>>, std::variant_size_v<Guards>>,
                                   std::variant_size_v<Updates>>;
        PerStep<Steps> steps{};
        Emit emit = nullptr;
        Apply apply = nullptr;
    };

    std::uint32_t (*emission)(const AnyView&) = nullptr; // floats a sample, kernels/steps/batch.h
    std::uint32_t (*together)(const AnyView&) = nullptr; // samples, kernels/steps/batch.h
    PerSet<Emit> emit{};
    PerSet<Apply> apply{};
    MeanLoss mean_loss = nullptr;

    // What the access pattern says (kernels/steps/steps.h).
    bool shrinks_all = true;
    std::span<const Parameter> parameters{};
    bool takes_network = false, takes_batches = false;
    std::uint64_t (*coordinates)(const AnyView&, const ModelChoice&) = nullptr;
    AnyView (*bound)(const AnyView&, const ModelChoice&) = nullptr;
    std::size_t (*scratch)(const AnyView&) = nullptr;                           // floats
    std::size_t (*step_scratch)(const AnyView&, std::uint32_t, bool) = nullptr; // floats
    void (*initialise)(const AnyView&, std::uint64_t, float*, std::uint32_t,
                       std::uint32_t) = nullptr; // weights [begin, end)
};

/// The table of problem P. Its functions take samples of P's access pattern.
template <class P>
const Kernels& kernels_of();

/// Its part for one instruction set.
template <class P, InstructionSet kSet>
const Kernels::OnSet& kernels_on();

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

/// The form of a body for one instruction set.
template <class On, InstructionSet kSet>
constexpr auto form() {
    if constexpr (kSet == InstructionSet::kScalar)
        return On::scalar;
    else if constexpr (kSet == InstructionSet::kAvx2)
        return On::avx2;
    else
        return On::avx512;
}

template <class P, InstructionSet kSet, class Update, class Guard, class Probe>
constexpr Kernels::Steps steps_on() {
    constexpr bool kHasForm = !std::same_as<Probe, ExactProbe> || kSet == InstructionSet::kScalar;
    if constexpr (is_meaningful<P, Update, Guard, Probe>() && kHasForm)
        return form<OnSteps<P, Update, Guard, Probe>, kSet>();
    else
        return nullptr;
}

template <class P, class Update, class Guard, class Probe>
constexpr Kernels::Steps delayed() {
    if constexpr (!is_meaningful<P, Update, Guard, Probe>())
        return nullptr;
    else
        return OnSteps<P, Update, Guard, Delayed<Probe>>::scalar;
}

/// Calls f.<Update, Guard, Probe>(update, guard, probe) with every combination and its numbers.
template <class F>
constexpr void for_each_step(const F& f) {
    const auto each = []<class... T>(const std::variant<T...>*, const auto& visit) {
        std::size_t number = 0;
        (visit.template operator()<T>(number++), ...);
    };
    each(static_cast<const Updates*>(nullptr), [&]<class Update>(std::size_t u) {
        each(static_cast<const Guards*>(nullptr), [&]<class Guard>(std::size_t g) {
            each(static_cast<const Probes*>(nullptr),
                 [&]<class Probe>(std::size_t p) { f.template operator()<Update, Guard, Probe>(u, g, p); });
        });
    });
}

template <class P, InstructionSet kSet>
constexpr Kernels::OnSet make_on() {
    Kernels::OnSet on;
    for_each_step([&]<class Update, class Guard, class Probe>(std::size_t u, std::size_t g, std::size_t p) {
        on.steps[u][g][p] = steps_on<P, kSet, Update, Guard, Probe>();
    });
    on.emit = form<OnLanes<EmitBody<P>, const AnyView&, const BatchEmit&>, kSet>();
    on.apply = form<OnLanes<ApplyBody<P>, const AnyView&, const BatchApply&>, kSet>();
    return on;
}

template <class P>
Kernels make() {
    Kernels kernels;
    const std::array<const Kernels::OnSet*, kInstructionSets> sets{&kernels_on<P, InstructionSet::kScalar>(),
                                                                   &kernels_on<P, InstructionSet::kAvx2>(),
                                                                   &kernels_on<P, InstructionSet::kAvx512>()};
    for_each_step([&]<class Update, class Guard, class Probe>(std::size_t u, std::size_t g, std::size_t p) {
        Kernels::StepForms& forms = kernels.steps[u][g][p];
        for (std::size_t set = 0; set < kInstructionSets; ++set)
            forms.by_set[set] = sets[std::same_as<Probe, ExactProbe> ? 0 : set]->steps[u][g][p];
        forms.delayed = delayed<P, Update, Guard, Probe>();
    });
    for (std::size_t set = 0; set < kInstructionSets; ++set) {
        kernels.emit[set] = sets[set]->emit;
        kernels.apply[set] = sets[set]->apply;
    }
    kernels.emission = [](const AnyView& data) { return P::Pattern::emission(view_for<P>(data)); };
    kernels.together = [](const AnyView& data) {
        if constexpr (requires { P::Pattern::together(view_for<P>(data)); })
            return P::Pattern::together(view_for<P>(data));
        return 1u;
    };
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
