#include "engine/run/fits.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/data/ratings/ratings.h"
#include "engine/data/shuffle.h"
#include "engine/error.h"
#include "engine/machine/memory_budget.h"
#include "engine/memory/memory_kind.h"
#include "engine/network/layer_updates.h"
#include "engine/order/order.h"
#include "engine/order/timeline.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "engine/record/recorder.h"
#include "engine/run/earlier_part.h"
#include "engine/run/samples_with_model.h"
#include "engine/schemes/two_devices/gpu_side.h"
#include "engine/workers/contexts.h"
#include "kernels/kernels.h"

#include <limits>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kMostWeights = 0x7FFFFFFF;

/// What a run takes besides the samples. That is models, optimisers' states, published vectors, final weights, the
/// fewest snapshots, their evaluation, and the gradient of the bound. It is also its timeline, what a batch emits, and
/// the shuffled copy of the samples where it must make one.
std::uint64_t bytes_of_run(const Plan& plan, const AnyView& data, bool copies_samples) {
    const SchemeTraits& scheme = scheme_traits(plan);
    const std::uint64_t models = scheme.models == nullptr ? 1 : scheme.models(plan); // a GPU's memory is its own
    const std::uint64_t vectors = models + 1 + Recorder::kFewest + 4 + 4;
    const MemoryKind memory = memory_kind(plan);
    std::uint64_t bytes = vectors * sizeof(float) * data.coordinates() + Timeline::bytes(plan, data.rows());
    if (scheme.steps_on_doubles()) bytes += sizeof(float) * data.rows(); // slopes, margins
    if (is_doubles(memory)) bytes += sizeof(float) * ((models + 1) * data.coordinates() + data.rows());
    if (is_low_precision(memory)) bytes += bytes_of(storage_of(memory)) * data.coordinates();
    bytes += sizeof(float) * OptimizerStates::floats(plan, data.coordinates());
    bytes += sizeof(float) * WorkerContexts::published_floats(plan, data.coordinates());
    if (owns_hot(plan))
        bytes += 2 * sizeof(float) * std::uint64_t{plan.threads} * hot_coordinates(plan, data.coordinates());
    if (copies_samples) bytes += array_bytes(data);
    const Kernels& kernels = kernels_named(plan.problem);
    const std::uint64_t scratch = scheme.is_minibatch()
                                      ? kernels.scratch(data)
                                      : kernels.step_scratch(data, most_cpu_batch(plan), reads_copy(plan));
    bytes += sizeof(float) * cpu_workers(plan) * scratch;
    if (scheme.bytes != nullptr) bytes += scheme.bytes(plan, data, kernels);
    return bytes;
}

std::string why_not_fit(const Plan& plan, const AnyView& data, bool copies_samples) {
    const std::string why = shortage(bytes_of_run(plan, data, copies_samples));
    return why.empty() ? ""
                       : fmt::format("a run of {} epoch{} on {} coordinates does not fit: {}{}", plan.epochs,
                                     plan.epochs == 1 ? "" : "s", data.coordinates(), why,
                                     problem_traits(plan).takes_network
                                         ? "; take a smaller network, smaller batches or fewer threads"
                                         : "");
}

/// A GPU's kernels number the floats of a batch's tape with 32 bits.
std::string why_not_tape(const Plan& plan, const AnyView& data) {
    if (!device_traits(plan).gpu || !problem_traits(plan).takes_network) return "";
    const std::uint64_t floats = std::uint64_t{most_gpu_batch(plan)} * NetworkTape::size(data.as<ImagesView>());
    if (floats <= std::numeric_limits<std::uint32_t>::max()) return "";
    return fmt::format(
        "a batch of {} takes {} numbers through the network, and a GPU's kernels count to 2^32; take fewer",
        most_gpu_batch(plan), floats);
}

/// A step that touches few weights copies them all.
std::string why_not_published(const Plan& plan, const AnyView& data) {
    if (!guard_traits(plan).publishes || problem_traits(plan).touches_all || data.coordinates() <= kMostPublished)
        return "";
    return fmt::format("publish copies every weight at each step, here {}, of which one of {} touches few; it takes up "
                       "to {} such, so use --guard none",
                       data.coordinates(), plan.problem, kMostPublished);
}

/// Copies of hot groups are numbered behind the coordinates.
std::string why_not_numbered(const Plan& plan, const AnyView& data) {
    constexpr std::uint32_t kCopies = 1 << 15; // more than a block has, or a group
    if (gpu_workers(plan) > 0 && !is_linear(plan.problem) && plan.hot.count > 0 &&
        data.coordinates() > std::numeric_limits<std::uint32_t>::max() - kCopies)
        return fmt::format(
            "copies have numbers behind those of the {} coordinates, and all are below 2^32; use --hot 0",
            data.coordinates());
    return "";
}

/// Every id up to the largest has factors.
std::string why_not_kept(const AnyView& data) {
    if (!data.is<RatingsView>()) return "";
    const RatingsView& ratings = data.as<RatingsView>();
    if (!ids_far_apart(ratings)) return "";
    return fmt::format(
        "{} users and {} items are numbered, each has factors, and {} ratings name few of them; number them "
        "one after the other",
        ratings.users, ratings.items, ratings.rows);
}

std::string why_not_here(const Plan& plan, const AnyView& data, bool copies_samples) {
    if (const std::string reason = why_not(plan); !reason.empty()) return reason;
    if (const std::string_view idle = data.why_idle(); !idle.empty()) return std::string(idle);
    if (problem_traits(plan).takes_network) {
        const NetworkShape& network = data.as<ImagesView>().network();
        if (const std::string reason = why_not_layer_updates(plan.network.update, network); !reason.empty())
            return reason;
    }
    if (scheme_traits(plan).steps_on_columns() && data.rows() > std::numeric_limits<std::int32_t>::max())
        return fmt::format("{} numbers up to 2^31 - 1 samples in its columns", plan.scheme);
    if (const std::string reason = why_not_published(plan, data); !reason.empty()) return reason;
    if (const std::string reason = why_not_numbered(plan, data); !reason.empty()) return reason;
    if (const std::string reason = why_not_kept(data); !reason.empty()) return reason;
    if (const std::uint64_t weights = weights_asked_for(data, plan); weights > kMostWeights)
        return fmt::format("it asks for {} weights, and a run takes up to 2^31 - 1; take a smaller model", weights);
    if (const std::string reason = why_not_fit(plan, data, copies_samples); !reason.empty()) return reason;
    if (const std::string reason = why_not_tape(plan, data); !reason.empty()) return reason;
    if (gpu_workers(plan) > 0 && plan.hot.count > 0 && plan.hot.count < data.coordinates() && data.dense()) {
        return fmt::format("these samples hold every column, so copies are of all {} or of none: --hot {} or --hot 0",
                           data.coordinates(), data.coordinates());
    }
    const bool batches = device_traits(plan).gpu && scheme_traits(plan).on_gpu == OnGpu::kBatches && data.dense() &&
                         is_linear(plan.problem);
    if (batches || steps_by_graphs(plan)) {
        if (const std::string reason = why_not_dense_products(); !reason.empty()) return reason;
    }
    return why_not_exact(plan, data);
}

void check_earlier(const Plan& plan, std::uint64_t rows, const Part& before) {
    const auto refuse = [](const std::string& why) {
        throw Error("this plan cannot be gone on with", why, "go on from snapshots of this plan on these samples");
    };
    if (before.snapshots.empty()) refuse("there is no snapshot");
    for (std::size_t i = 0; i < before.snapshots.size(); ++i) {
        if (const std::string why = why_not_taken(plan, rows, before.snapshots[i]); !why.empty())
            refuse(fmt::format("snapshot {}: {}", i + 1, why));
    }
    if (const std::string why = why_not_decided(plan, rows, before.snapshots.back(), before.losses); !why.empty())
        refuse(why);
}

} // namespace

void check(const Plan& plan, const RunInputs& inputs) {
    validate(plan);
    if (inputs.sink != nullptr || inputs.before != nullptr) {
        if (const std::string reason = why_not_go_on(plan); !reason.empty())
            throw Error(Failure::kUsage, "this plan cannot be gone on with", reason, "run it at a stretch");
    }
    const AnyView& data = inputs.train.view();
    if (data.rows() == 0 || data.rows() >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error(fmt::format("{} has {} samples", inputs.train.name(), data.rows()), "a run needs 1 to 2^32 - 2",
                    "use other data");
    }
    const std::uint64_t weights = weights_asked_for(data, plan);
    if (weights > kMostWeights) {
        throw Error(fmt::format("{} asks for {} weights", inputs.train.name(), weights), "a run takes up to 2^31 - 1",
                    "renumber what the samples name, or take a smaller model");
    }
    if (inputs.before != nullptr && inputs.before->coordinates != weights) {
        throw Error("this plan cannot be gone on with",
                    fmt::format("its snapshots hold {} weights, its model {}", inputs.before->coordinates, weights),
                    "go on from snapshots of this plan on these samples");
    }
    if (inputs.before != nullptr) check_earlier(plan, data.rows(), *inputs.before);
    const bool copies_samples = inputs.shuffled == nullptr && wants_shuffled(plan, inputs.train);
    if (const std::string reason = why_not_here(plan, bound(inputs.train.view(), plan), copies_samples);
        !reason.empty()) {
        throw Error(Failure::kUsage, "this plan cannot run", reason, "change what it names");
    }
}

bool wants_shuffled(const Plan& plan, const Dataset& train) {
    if (!train.view().movable() || train.view().tiles().side > 0 || scheme_traits(plan).steps_on_columns())
        return false;
    // Streams take single samples from everywhere: thousands of warps at once in one tile would step on few factors.
    return orders_blocks(plan.order, train.view()) ||
           (!device_traits(plan).gpu && orders_tiles(plan.order, train.view()));
}

std::string why_not(const Plan& plan, const Dataset& train) {
    const bool copies_samples = wants_shuffled(plan, train) && !shuffles_in_place(train.view());
    return why_not_here(plan, bound(train.view(), plan), copies_samples);
}

} // namespace hogwild
