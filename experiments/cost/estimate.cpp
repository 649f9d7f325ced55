#include "experiments/cost/estimate.h"

#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "engine/run.h"
#include "kernels/guards.h"
#include "kernels/network/bound_images.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr double kStart = 0.05; // seconds: a process, its first touch of the samples

/// What kinds of samples cost, in nanoseconds.
struct Costs {
    double step = kStepCost; // a nonzero: the step of one thread
    double gather = 0.6;     // a nonzero: evaluating one snapshot, on one core
    double atomic = 3.5;     // an increment that overwrites nothing, on one core
    double meeting = 200;    // a sample: locks that are held around one step, on one core
    double turn = 2'000;     // a sample: waiting for others' steps one after the other
};

constexpr Costs costs_of(const auto&) { return {}; }
constexpr Costs costs_of(const RatingsView&) { return {.step = 0.4, .gather = 0.4}; }
constexpr Costs costs_of(const TokensView&) { return {.step = 0.8, .gather = 0.4}; }

/// Nanoseconds a nonzero of sparse rows, of all workers together: threads meet on hot columns.
double step_cost(const Plan& plan, const SparseView&) {
    const SchemeTraits& scheme = scheme_traits(plan);
    if (device_traits(plan).gpu) {
        if (scheme.is_minibatch()) return 0.3;
        const MemoryKind memory = memory_kind(plan);
        if (on_both(plan) && is_managed(memory)) return 1'000;
        return is_near_device(memory) ? 0.05 : 6;
    }
    return scheme.cost == nullptr ? kStepCost : scheme.cost(plan, std::max(1u, cpu_workers(plan)));
}

/// The same of samples whose nonzeros lie side by side, `width` of each.
double step_cost(const Plan& plan, const Costs& costs, double width) {
    const SchemeTraits& scheme = scheme_traits(plan);
    const double threads = std::max(1u, cpu_workers(plan));
    if (device_traits(plan).gpu) {
        return scheme.on_gpu == OnGpu::kBatches ? 0.1 : is_near_device(memory_kind(plan)) ? 0.02 : 6;
    }
    if (scheme.is_minibatch()) return (4 * costs.step + costs.meeting / width) / threads;
    if (scheme.writers == Writers::kTurns) return threads > 1 ? costs.turn / width : costs.step;
    if (scheme.updates != UpdateChoice::kAll) return costs.step / threads;
    const bool guarded = guard_traits(plan).orders;
    double cost = costs.step + (guarded ? costs.meeting / width : 0);
    if (!guarded && update_traits(plan).atomic) cost += costs.atomic;
    return cost / threads;
}

/// Multiplications of a sample's way forward through its network; the way back and the gradient take as many each.
double products(const ImagesView& images) {
    double sum = 0;
    for (std::uint32_t g = 0; g < images.groups(); ++g) sum += static_cast<double>(images.cost(g));
    return sum;
}

constexpr double kProduct = 0.04; // nanoseconds

/// For networks: their products, and the increments of a batch.
double step_cost(const Plan& plan, const ImagesView& images) {
    const double threads = std::max(1u, cpu_workers(plan)), width = std::max(1u, images.coordinates());
    const bool atomic = scheme_traits(plan).updates == UpdateChoice::kAll && !guard_traits(plan).orders &&
                        !update_traits(plan).overwrites();
    const double increment = atomic ? Costs().atomic : 0.2;
    return (3 * kProduct * products(images) / width + increment / plan.batch.size) / threads;
}

/// Nanoseconds of one traversal by the plan's steps.
double epoch_cost(const Plan& plan, const auto& view) {
    const auto nonzeros = static_cast<double>(view.nonzeros());
    if constexpr (requires { step_cost(plan, view); }) {
        return nonzeros * step_cost(plan, view);
    } else {
        const double width = std::max(1.0, nonzeros / static_cast<double>(std::max<std::uint64_t>(1, view.rows)));
        return nonzeros * step_cost(plan, costs_of(view), width);
    }
}

/// Nanoseconds of evaluating one snapshot, on one core.
double look_cost(const auto& view) { return static_cast<double>(view.nonzeros()) * costs_of(view).gather; }

/// A fixed number of windows, and for each analogy its words' products with all others.
double look_cost(const TokensView& text) {
    constexpr double kPositions = 20'000, kProduct = 0.1;
    const double rows = static_cast<double>(std::max<std::uint64_t>(1, text.rows));
    const double windows = static_cast<double>(text.nonzeros()) / rows * std::min(rows, kPositions);
    const double products = static_cast<double>(text.analogy_count) * text.words * text.model.dim;
    return windows * costs_of(text).gather + products * kProduct;
}

/// The cost of a look at some of the images.
double look_cost(const ImagesView& images) {
    constexpr double kImages = 20'000;
    return std::min(static_cast<double>(images.rows), kImages) * products(images) * kProduct;
}

/// Threads that delay their gradients at the same time.
unsigned waiting_side_by_side(const Plan& plan, unsigned cores) {
    if (is_serial(plan) || guard_traits(plan).alone) return 1;
    return std::clamp(cpu_workers(plan), 1u, cores);
}

} // namespace

double predicted_seconds(const Plan& plan, const AnyView& samples, unsigned cores) {
    cores = std::max(1u, cores);
    const double passes = plan.epochs, looks = passes * plan.observations_per_epoch;
    const double delays = plan.delay * passes * static_cast<double>(samples.rows()) / waiting_side_by_side(plan, cores);
    return bound(samples, plan).visit([&](const auto& view) {
        return kStart + 1e-9 * (passes * epoch_cost(plan, view) + looks * look_cost(view) / cores) + delays;
    });
}

double predicted_sample_seconds(const Plan& plan, const AnyView& samples) {
    const double rows = static_cast<double>(std::max<std::uint64_t>(1, samples.rows()));
    return bound(samples, plan).visit([&](const auto& view) {
        return 1e-9 * epoch_cost(plan, view) / rows * std::max(1u, cpu_workers(plan)) + plan.delay;
    });
}

double longest_seconds(double predicted) { return std::max(600.0, 50 * predicted); }

} // namespace hogwild
