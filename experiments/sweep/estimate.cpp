#include "experiments/sweep/estimate.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr double kGather = 0.6;    // nanoseconds a nonzero: evaluating one snapshot, on one core
constexpr double kOneThread = 1.4; // the step of one thread
constexpr double kStart = 0.05;    // seconds: a process, its first touch of the samples

/// Nanoseconds a nonzero of all workers together.
double step_cost(const Plan& plan) {
    const double threads = std::max(1u, cpu_workers(plan));
    if (plan.scheme == "minibatch") return plan.device == "gpu" ? 0.3 : std::max(0.8, 2.0 / threads);
    if (plan.device != "cpu") {
        const bool local = plan.memory == "device" || plan.memory == "replica" || plan.memory == "managed-device";
        if (plan.device == "both" && plan.memory.starts_with("managed")) return 1'000;
        return local ? 0.05 : 6;
    }
    if (plan.scheme == "local-sgd") return kOneThread / threads;
    if (plan.scheme == "round-robin") return threads > 1 ? 25 : kOneThread;
    if (plan.scheme != "hogwild" || threads == 1) return plan.guard == "none" ? kOneThread : 4 * kOneThread;
    if (plan.guard != "none") return 25;
    return plan.update == "racy" ? 5 : 7;
}

/// Threads that delay their gradients at the same time.
unsigned waiting_side_by_side(const Plan& plan, unsigned cores) {
    if (plan.scheme == "serial" || plan.guard == "locked-read") return 1;
    return std::clamp(cpu_workers(plan), 1u, cores);
}

} // namespace

double predicted_seconds(const Plan& plan, const AnyView& samples, unsigned cores) {
    cores = std::max(1u, cores);
    const double passes = plan.epochs, nonzeros = static_cast<double>(samples.nonzeros());
    const double looks = passes * plan.observations_per_epoch;
    const double delays = plan.delay * passes * static_cast<double>(samples.rows()) / waiting_side_by_side(plan, cores);
    return kStart + 1e-9 * nonzeros * (passes * step_cost(plan) + looks * kGather / cores) + delays;
}

double longest_seconds(double predicted) { return std::max(600.0, 50 * predicted); }

} // namespace hogwild
