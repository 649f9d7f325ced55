#include "experiments/plans/defaults.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/optimizer_traits.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace hogwild {
namespace {

/// What a problem's steps are like, each on a sample or a batch.
struct Row {
    std::string_view problem;
    std::string_view step;
    double size, decay;
    double warm_up; // epochs over which steps rise
    std::uint32_t epochs;
    std::uint32_t batch; // of problems whose steps take batches, else 0
    double mean_size;    // a minibatch step's, which multiplies the mean gradient of the batch, and so grows with it
    std::uint32_t mean_batch; // that batch
    double averaged; // times as large where models are averaged, so that the average moves less than each of them
    std::uint32_t averaging; // samples of a worker between two averages
    std::uint32_t token;     // samples that a cluster keeps the token for
};

// Factors, cuts and word vectors have far more coordinates than a step touches. Averaging them costs what ten thousands
// of steps do, so they are averaged as rarely.
constexpr Row kRows[] = {
    {Hinge::name, "decay", 0.5, 0.9, 0, 10, 0, 64, 256, 2, 1024, 1024},
    {Logistic::name, "decay", 1, 0.9, 0, 10, 0, 128, 256, 2, 1024, 1024},
    {Factorization::name, "decay", 0.02, 0.95, 0, 20, 0, 5, 256, 2, 65536, 16384},
    {Cut::name, "decay", 0.2, 0.95, 0, 50, 0, 50, 256, 2, 65536, 16384},
    {SkipGram::name, "linear", 0.025, 0.9, 0, 5, 0, 1.6, 64, 2, 65536, 16384},
    {Network::name, "linear", 0.1, 0.9, kUsualWarmUp, 5, 16, 0.2, 64, 1, 1024, 1024},
    // squared, and any problem without a row of its own
    {"", "decay", 0.1, 0.9, kUsualWarmUp, 10, 0, 1, 64, 2, 1024, 1024},
};

/// What suits a problem's steps under a scheme.
struct Usual {
    double size;
    std::uint32_t batch, exchange;
};

Usual usual(const Row& row, const SchemeTraits& scheme) {
    constexpr std::uint32_t kRarely = 4096, kOften = 128;
    Usual usual{row.size, scheme.usual_batch, scheme.exchanges() ? kOften : kRarely};
    if (row.batch > 0) usual.batch = scheme.writers == Writers::kTurns ? 1 : row.batch;
    if (scheme.is_minibatch()) {
        usual.size = row.mean_size;
        usual.batch = row.mean_batch;
    }
    if (scheme.merging == Merging::kAverages) {
        usual.size *= row.averaged;
        usual.exchange = row.averaging;
    } else if (scheme.has_clusters()) {
        usual.exchange = row.token;
    }
    return usual;
}

const Row& row_of(const Plan& plan) {
    return *std::ranges::find_if(kRows,
                                 [&](const Row& row) { return row.problem == plan.problem || row.problem.empty(); });
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

/// What an optimiser that counts a gradient 1 / (1 - beta1) times leaves of plain SGD's step.
double share_of_step(const Plan& plan) {
    return optimizer_traits(plan).beta1 && plan.optimizer.beta1 > 0 && plan.optimizer.beta1 < 1
               ? 1 - plan.optimizer.beta1
               : 1;
}

/// What the samples' agreement allows.
double most_step(const Plan& plan, double size, double shared_energy) {
    constexpr double kHingeCurvature = 0.5; // none at its kink, but over a step's length it bends
    constexpr double kNoise = 0.2;          // where single samples move all margins by step x energy
    if (shared_energy <= 0) return std::numeric_limits<double>::infinity();
    if (!scheme_traits(plan).is_minibatch()) return kNoise * size / shared_energy;
    if (!is_linear(plan.problem)) return std::numeric_limits<double>::infinity();
    const double curvature =
        with_linear_problem(plan.problem, []<class Problem>(Problem) { return Problem::curvature; });
    return 1 / ((curvature > 0 ? curvature : kHingeCurvature) * shared_energy);
}

} // namespace

void set_gpu_defaults(Plan& plan, const GivenShape& given) {
    if (!problem_traits(plan).takes_batches || gpu_workers(plan) == 0) return;
    if (steps_by_graphs(plan)) {
        plan.network.read = "copy";
        return;
    }
    if (!given.streams) plan.gpu.streams = kStreamsOfTeams;
    if (!given.blocks) plan.gpu.blocks = kBlocksOfTeams;
}

void suit_exchange(Plan& plan) {
    const UsualExchange samples = problem_traits(plan).takes_network || is_linear(plan.problem) ? kExchangeOfRows
                                  : problem_traits(plan).has_long_steps                         ? kExchangeOfWindows
                                                                                                : kExchangeOfGroups;
    const SchemeTraits& scheme = scheme_traits(plan);
    if (scheme.hot_updates && hot_traits(plan).thins) plan.exchange.period = kExchangeOfThinned;
    if ((scheme.hot_updates && owns_hot(plan)) || scheme.exchanges())
        plan.exchange.period =
            std::clamp(samples.together / std::max(1u, exchanging_workers(plan)), samples.least, samples.most);
}

void suit_optimizer(Plan& plan) {
    if (is_plain_sgd(plan)) return;
    const OptimizerTraits optimizer = optimizer_traits(plan);
    plan.optimizer.beta2 = optimizer.usual_beta2;
    if (optimizer.usual_step > 0)
        plan.step.size = optimizer.usual_step; // whatever the samples' scale: their gradients are divided by it
    else
        plan.step.size = to_digits(plan.step.size * share_of_step(plan), 2);
}

void limit_step(Plan& plan) {
    constexpr double kMostOfOne = 0.02; // an image of a batch: LeNet learns nothing of single ones at 0.1
    if (problem_traits(plan).takes_batches && scheme_traits(plan).updates == UpdateChoice::kAll) {
        const double at_once = cpu_workers(plan) + kStepsOfTeam * gpu_teams(plan);
        plan.step.size = std::min(plan.step.size, to_digits(kMostStepAtOnce / at_once, 2));
    }
    if (problem_traits(plan).takes_batches && optimizer_traits(plan).usual_step == 0)
        plan.step.size = std::min(plan.step.size, to_digits(kMostOfOne * plan.batch.size * share_of_step(plan), 2));
    const double share = shrinkage(plan);
    if (share <= kMostShrinkage || scheme_traits(plan).steps_on_doubles()) return;
    const double limited = plan.step.size * kMostShrinkage / share;
    if (!(limited >= double{std::numeric_limits<float>::min()})) {
        throw Error(
            Failure::kUsage, fmt::format("--l2 {} is too large", exact(plan.l2)),
            fmt::format("a default step would have to be {} for a sample to shrink weights by no more than a tenth, "
                        "which is none of a float",
                        human(limited)),
            "use a smaller one, such as 1/n");
    }
    plan.step.size = to_digits(limited, 2);
}

void set_defaults(Plan& plan, const SampleScale& scale) {
    if (scheme_traits(plan).corrects_steps()) {
        plan.step.kind = "constant";
        plan.step.size = corrected_step(plan, scale);
        return;
    }
    if (scheme_traits(plan).steps_on_columns()) {
        plan.step.kind = "constant";
        plan.step.size = 1;
        return;
    }
    const Row& row = row_of(plan);
    const Usual of = usual(row, scheme_traits(plan));
    plan.step.kind = row.step;
    // A small dataset takes smaller batches: at least a hundred an epoch, where that leaves 16 samples each.
    const std::uint64_t few = std::max<std::uint64_t>(std::bit_floor(scale.rows / 100), 16);
    const std::uint64_t batch = std::min<std::uint64_t>(few, of.batch);
    plan.batch.size = static_cast<std::uint32_t>(batch);
    double size = scale.squared_norm > 0 ? of.size / scale.squared_norm : of.size;
    if (scheme_traits(plan).is_minibatch()) size *= static_cast<double>(batch) / of.batch; // a mean over fewer
    plan.step.size = to_digits(std::min(size, most_step(plan, of.size, scale.shared_energy)), 2);
    plan.step.decay = row.decay;
    plan.step.warm_up = row.warm_up;
    plan.exchange.period = of.exchange;
    suit_exchange(plan);
    plan.epochs = row.epochs;
}

} // namespace hogwild
