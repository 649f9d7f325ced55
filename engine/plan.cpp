#include "engine/plan.h"

#include "engine/error.h"
#include "engine/order.h"
#include "engine/schedule.h"
#include "engine/schemes/scheme.h"
#include "kernels/catalog.h"

#include <cmath>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hogwild {
namespace {

constexpr std::array<std::string_view, 3> kPins = {"none", "cores", "numa"};
constexpr std::array<std::string_view, 4> kLaneNames = {"auto", "scalar", "avx2", "avx512"};
constexpr std::array<std::string_view, 4> kGuardNames = {NoGuard::name, Locked::name, LockedRead::name,
                                                         GlobalLock::name};

// A cell of 256 steps then takes at most 2^-60 off the scale of lazy L2 (engine/timeline.h).
constexpr double kLargestDecay = 0.15;

void check_name(std::string_view axis, std::string_view name) {
    const std::span<const std::string_view> known = known_names(axis);
    if (std::ranges::find(known, name) != known.end()) return;
    throw Error(Failure::kUsage, fmt::format("unknown {} '{}'", axis, name),
                fmt::format("known: {}", fmt::join(known, ", ")), "use one of these");
}

void check(bool fine, const std::string& what, const std::string& why, const std::string& suggestion) {
    if (!fine) throw Error(Failure::kUsage, what, why, suggestion);
}

} // namespace

std::span<const std::string_view> known_names(std::string_view axis) {
    if (axis == "problem") return catalog::names<Problems>;
    if (axis == "scheme") return kSchemes;
    if (axis == "update") return catalog::names<Updates>;
    if (axis == "guard") return kGuardNames;
    if (axis == "order") return kOrders;
    if (axis == "pin") return kPins;
    if (axis == "telemetry") return catalog::names<Probes>;
    if (axis == "lanes") return kLaneNames;
    if (axis == "step") return kSteps;
    return {};
}

void validate(const Plan& plan) {
    check_name("problem", plan.problem);
    check_name("scheme", plan.scheme);
    check_name("update", plan.update);
    check_name("guard", plan.guard);
    check_name("order", plan.order);
    check_name("pin", plan.pin);
    check_name("telemetry", plan.telemetry);
    check_name("lanes", plan.lanes);
    check_name("step", plan.step.kind);
    check(plan.threads >= 1 && plan.threads <= 4096, fmt::format("--threads {}", plan.threads),
          "needs 1 to 4096 workers", "use the number of cores");
    check(plan.epochs >= 1 && plan.epochs <= 1'000'000, fmt::format("--epochs {}", plan.epochs),
          "a run takes 1 to 1,000,000 epochs", "use 10");
    check(plan.batch >= 1, fmt::format("--batch {}", plan.batch), "a batch needs at least one sample", "use 1 or more");
    check(plan.cas_limit >= 1, fmt::format("--cas-limit {}", plan.cas_limit), "an increment needs at least one try",
          "use 1 or more");
    check(plan.observations_per_epoch >= 1 && plan.observations_per_epoch <= 10'000,
          fmt::format("--observe {}", plan.observations_per_epoch), "needs 1 to 10000 observations an epoch", "use 10");
    check(std::isfinite(plan.step.size) && plan.step.size > 0, fmt::format("--step-size {}", plan.step.size),
          "a step size is a finite number above 0", "use 0.1");
    check(plan.step.decay > 0 && plan.step.decay <= 1, fmt::format("--decay {}", plan.step.decay),
          "the factor on the step lies in (0, 1]", "use 0.9");
    check(plan.step.half_life > 0, fmt::format("--half-life {}", plan.step.half_life),
          "needs a number of epochs above 0", "use 1");
    check(plan.step.plateau >= 0 && plan.step.plateau < 1, fmt::format("--plateau {}", plan.step.plateau),
          "a relative improvement lies in [0, 1)", "use 0.01");
    check(std::isfinite(plan.l2) && plan.l2 >= 0, fmt::format("--l2 {}", plan.l2),
          "lambda is a finite number from 0 up", "use 1/n");
}

std::string why_not(const Plan& plan) {
    const bool waits = plan.scheme == "minibatch" || plan.scheme == "local-sgd";
    if (plan.scheme == "serial" && plan.threads != 1) return "serial has one worker";
    if (plan.scheme == "hogwild" && plan.guard != "none" && plan.update != "racy") {
        return fmt::format("guard {} already excludes other writers, so it goes with racy, not {}", plan.guard,
                           plan.update);
    }
    if (plan.scheme == "hogwild" && plan.update == "noop" && plan.telemetry == "exact") {
        return "noop writes nothing, so there is nothing to count";
    }
    if (plan.step.size * plan.l2 > kLargestDecay) {
        return fmt::format("step {} x lambda {} must not pass {}, or the weights would forget within a few samples",
                           plan.step.size, plan.l2, kLargestDecay);
    }
    if (waits && plan.telemetry != "off") {
        return fmt::format("{} has no concurrent writers, so nothing is stale and nothing is lost", plan.scheme);
    }
    return {};
}

std::vector<std::pair<std::string, std::string>> fields(const Plan& plan) {
    const auto number = [](auto value) { return fmt::format("{}", value); };
    return {
        {"problem", plan.problem},
        {"scheme", plan.scheme},
        {"update", plan.update},
        {"guard", plan.guard},
        {"order", plan.order},
        {"pin", plan.pin},
        {"telemetry", plan.telemetry},
        {"lanes", plan.lanes},
        {"threads", number(plan.threads)},
        {"epochs", number(plan.epochs)},
        {"l2", number(plan.l2)},
        {"batch", number(plan.batch)},
        {"exchange", number(plan.exchange)},
        {"cas_limit", number(plan.cas_limit)},
        {"observations_per_epoch", number(plan.observations_per_epoch)},
        {"seed", number(plan.seed)},
        {"step", plan.step.kind},
        {"step_size", number(plan.step.size)},
        {"decay", number(plan.step.decay)},
        {"half_life", number(plan.step.half_life)},
        {"plateau", number(plan.step.plateau)},
    };
}

std::uint64_t hash(const Plan& plan) {
    std::string text;
    for (const auto& [name, value] : fields(plan)) text += name + '=' + value + '\n';
    return XXH3_64bits(text.data(), text.size());
}

} // namespace hogwild
