#include "experiments/plans/defaults.h"

#include "engine/plan/hot_updates.h"
#include "kernels/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

namespace hogwild {
namespace {

struct Row {
    std::string_view problem, scheme;
    std::string_view step;
    double size, decay;
    std::uint32_t batch, exchange;
    std::uint32_t epochs;
};

// A minibatch step multiplies the mean gradient of the batch, so its size grows with the batch; a model that is averaged
// over workers moves less than each of them, so local-sgd and replicated take a larger step too, but not async-local-sgd and
// hogwild++, whose increments come to what serial's would. Factors, cuts and word vectors have far more coordinates than a step
// touches, so that averaging them costs what ten thousands of steps do: they are averaged as rarely.
constexpr Row kRows[] = {
    {"hinge", "serial", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "hogwild", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "hogwild++", "decay", 0.5, 0.9, 256, 1024, 10},
    {"hinge", "round-robin", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "conflict-free", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "cyclades", "decay", 0.5, 0.9, 1024, 4096, 10},
    {"hinge", "minibatch", "decay", 64, 0.9, 256, 4096, 10},
    {"hinge", "local-sgd", "decay", 1, 0.9, 256, 1024, 10},
    {"hinge", "replicated", "decay", 1, 0.9, 256, 1024, 10},
    {"hinge", "async-local-sgd", "decay", 0.5, 0.9, 256, 128, 10},
    {"logistic", "serial", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "hogwild", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "hogwild++", "decay", 1, 0.9, 256, 1024, 10},
    {"logistic", "round-robin", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "conflict-free", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "cyclades", "decay", 1, 0.9, 1024, 4096, 10},
    {"logistic", "minibatch", "decay", 128, 0.9, 256, 4096, 10},
    {"logistic", "local-sgd", "decay", 2, 0.9, 256, 1024, 10},
    {"logistic", "replicated", "decay", 2, 0.9, 256, 1024, 10},
    {"logistic", "async-local-sgd", "decay", 1, 0.9, 256, 128, 10},
    {"factorization", "serial", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "hogwild", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "hogwild++", "decay", 0.02, 0.95, 256, 16384, 20},
    {"factorization", "round-robin", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "conflict-free", "decay", 0.02, 0.95, 256, 4096, 20},
    {"factorization", "cyclades", "decay", 0.02, 0.95, 1024, 4096, 20},
    {"factorization", "minibatch", "decay", 5, 0.95, 256, 4096, 20},
    {"factorization", "local-sgd", "decay", 0.04, 0.95, 256, 65536, 20},
    {"factorization", "replicated", "decay", 0.04, 0.95, 256, 65536, 20},
    {"cut", "serial", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "hogwild", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "round-robin", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "conflict-free", "decay", 0.2, 0.95, 256, 4096, 50},
    {"cut", "cyclades", "decay", 0.2, 0.95, 1024, 4096, 50},
    {"cut", "minibatch", "decay", 50, 0.95, 256, 4096, 50},
    {"cut", "local-sgd", "decay", 0.4, 0.95, 256, 65536, 50},
    {"cut", "replicated", "decay", 0.4, 0.95, 256, 65536, 50},
    {"skipgram", "serial", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "hogwild", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "hogwild++", "linear", 0.025, 0.9, 256, 16384, 5},
    {"skipgram", "conflict-free", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "cyclades", "linear", 0.025, 0.9, 1024, 4096, 5},
    {"skipgram", "round-robin", "linear", 0.025, 0.9, 256, 4096, 5},
    {"skipgram", "minibatch", "linear", 1.6, 0.9, 64, 4096, 5},
    {"skipgram", "local-sgd", "linear", 0.05, 0.9, 256, 65536, 5},
    {"skipgram", "replicated", "linear", 0.05, 0.9, 256, 65536, 5},
    {"network", "serial", "linear", 0.1, 0.9, 16, 4096, 5},
    {"network", "hogwild", "linear", 0.1, 0.9, 16, 4096, 5},
    {"network", "round-robin", "linear", 0.1, 0.9, 1, 4096, 5},
    {"network", "minibatch", "linear", 0.2, 0.9, 64, 4096, 5},
    {"network", "local-sgd", "linear", 0.1, 0.9, 16, 1024, 5},
    {"network", "async-local-sgd", "linear", 0.1, 0.9, 16, 128, 5},
    // squared, and any problem without rows of its own
    {"", "serial", "decay", 0.1, 0.9, 256, 4096, 10},
    {"", "hogwild", "decay", 0.1, 0.9, 256, 4096, 10},
    {"", "hogwild++", "decay", 0.1, 0.9, 256, 1024, 10},
    {"", "round-robin", "decay", 0.1, 0.9, 256, 4096, 10},
    {"", "conflict-free", "decay", 0.1, 0.9, 256, 4096, 10},
    {"", "cyclades", "decay", 0.1, 0.9, 1024, 4096, 10},
    {"", "minibatch", "decay", 1, 0.9, 64, 4096, 10},
    {"", "local-sgd", "decay", 0.2, 0.9, 256, 1024, 10},
    {"", "replicated", "decay", 0.2, 0.9, 256, 1024, 10},
    {"", "async-local-sgd", "decay", 0.1, 0.9, 256, 128, 10},
};

const Row* find(const Plan& plan) {
    const std::string_view scheme = is_minibatch(plan.scheme) ? "minibatch" : std::string_view(plan.scheme);
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& candidate) {
        return (candidate.problem == plan.problem || candidate.problem.empty()) && candidate.scheme == scheme;
    });
    return row == std::end(kRows) ? nullptr : row;
}

/// A third of the inverse of how steep a sample's slope gets, the practice of the papers that kernels/steps/variance_reduction.h names.
double corrected_step(const Plan& plan, const SampleScale& scale) {
    if (!is_linear(plan.problem)) return plan.step.size;
    const double curvature =
        with_linear_problem(plan.problem, []<class Problem>(Problem) { return Problem::curvature; });
    const double steepest = curvature * scale.most_squared_norm;
    return steepest > 0 ? to_digits(1 / (3 * steepest), 2) : plan.step.size;
}

constexpr double kMostShrinkage = 0.1; // by one sample

/// In epochs. A network's first steps go over its steepest losses; where they are late, at full size, some runs learn nothing at all.
constexpr double kNetworkWarmUp = 0.2;

/// What an optimiser that counts a gradient 1 / (1 - beta1) times leaves of plain SGD's step.
double share_of_step(const Plan& plan) {
    return traits(plan.optimizer.name).beta1 && plan.optimizer.beta1 > 0 && plan.optimizer.beta1 < 1
               ? 1 - plan.optimizer.beta1
               : 1;
}

/// What the samples' agreement allows.
double most_step(const Plan& plan, const Row& row, double shared_energy) {
    constexpr double kHingeCurvature = 0.5; // none at its kink, but over a step's length it bends
    constexpr double kNoise = 0.2;          // where single samples move all margins by step x energy
    if (shared_energy <= 0) return std::numeric_limits<double>::infinity();
    if (!is_minibatch(plan.scheme)) return kNoise * row.size / shared_energy;
    if (!is_linear(plan.problem)) return std::numeric_limits<double>::infinity();
    const double curvature =
        with_linear_problem(plan.problem, []<class Problem>(Problem) { return Problem::curvature; });
    return 1 / ((curvature > 0 ? curvature : kHingeCurvature) * shared_energy);
}

} // namespace

double to_digits(double value, int digits) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
    return std::stod(
        fmt::format("{:.{}g}", std::round(value / unit) * unit, digits)); // through text: 0.07, not 0.07000000000000001
}

void set_gpu_defaults(Plan& plan, const GivenShape& given) {
    constexpr std::uint32_t kTeamBlocks = 32;
    if (!takes_batches(plan.problem) || gpu_workers(plan) == 0) return;
    if (steps_by_graphs(plan)) {
        plan.network.read = "copy";
        return;
    }
    if (!given.streams) plan.gpu.streams = 1;
    if (!given.blocks) plan.gpu.blocks = kTeamBlocks;
}

void suit_exchange(Plan& plan) {
    // Increments are stale by what all workers step through between two exchanges, whatever their number. Steps on a rating or an edge
    // take as long as a few nonzeros and touch hot groups more seldom; those on a window take long.
    struct Samples {
        std::uint32_t together, least, most;
    };
    const Samples samples = takes_network(plan.problem) || is_linear(plan.problem) ? Samples{512, 16, 128}
                            : plan.problem == "skipgram"                           ? Samples{4096, 64, 1024}
                                                                                   : Samples{16384, 256, 4096};
    const bool hogwild = plan.scheme == "hogwild";
    if (hogwild && plan.hot.updates == "thinned") plan.exchange.period = 4;
    if ((hogwild && owns_hot(plan)) || plan.scheme == "async-local-sgd")
        plan.exchange.period =
            std::clamp(samples.together / std::max(1u, exchanging_workers(plan)), samples.least, samples.most);
}

void suit_optimizer(Plan& plan) {
    if (plan.optimizer.name == "sgd") return;
    const OptimizerTraits optimizer = traits(plan.optimizer.name);
    plan.optimizer.beta2 = optimizer.usual_beta2;
    if (optimizer.usual_step > 0)
        plan.step.size = optimizer.usual_step; // whatever the samples' scale: their gradients are divided by it
    else
        plan.step.size = to_digits(plan.step.size * share_of_step(plan), 2);
}

void limit_step(Plan& plan) {
    // Of LeNet on MNIST: at twice that, gradients that are late by so many steps cost accuracy; from four times on they lead astray.
    constexpr double kMostAtOnce = 0.4, kOfTeam = 2;
    constexpr double kMostOfOne = 0.02; // an image of a batch: LeNet learns nothing of single ones at 0.1
    if (takes_batches(plan.problem) && plan.scheme == "hogwild") {
        const double at_once = cpu_workers(plan) + kOfTeam * gpu_teams(plan);
        plan.step.size = std::min(plan.step.size, to_digits(kMostAtOnce / at_once, 2));
    }
    if (takes_batches(plan.problem) && traits(plan.optimizer.name).usual_step == 0)
        plan.step.size = std::min(plan.step.size, to_digits(kMostOfOne * plan.batch.size * share_of_step(plan), 2));
    const double share = shrinkage(plan);
    if (share > kMostShrinkage && !steps_on_doubles(plan.scheme))
        plan.step.size = to_digits(plan.step.size * kMostShrinkage / share, 2);
}

void set_defaults(Plan& plan, const SampleScale& scale) {
    if (corrects_steps(plan.scheme)) {
        plan.step.kind = "constant";
        plan.step.size = corrected_step(plan, scale);
        return;
    }
    if (steps_on_columns(plan.scheme)) {
        plan.step.kind = "constant";
        plan.step.size = 1;
        return;
    }
    const Row* row = find(plan);
    if (row == nullptr) return;
    plan.step.kind = row->step;
    // A small dataset takes smaller batches: at least a hundred an epoch, where that leaves 16 samples each.
    const std::uint64_t few = std::max<std::uint64_t>(std::bit_floor(scale.rows / 100), 16);
    const std::uint64_t batch = std::min<std::uint64_t>(few, row->batch);
    plan.batch.size = static_cast<std::uint32_t>(batch);
    double size = scale.squared_norm > 0 ? row->size / scale.squared_norm : row->size;
    if (is_minibatch(plan.scheme)) size *= static_cast<double>(batch) / row->batch; // a mean over fewer
    plan.step.size = to_digits(std::min(size, most_step(plan, *row, scale.shared_energy)), 2);
    plan.step.decay = row->decay;
    if (takes_network(row->problem)) plan.step.warm_up = kNetworkWarmUp;
    plan.exchange.period = row->exchange;
    suit_exchange(plan);
    plan.epochs = row->epochs;
}

} // namespace hogwild
