// A run as one value: everything its result depends on, and nothing else. Printable, hashable, stored with the result.
//
// Names ("hinge", "racy", ...) are checked against the catalog by `validate`. Units: counts are samples unless said otherwise;
// step sizes multiply the gradient of one sample's loss (of the mean over a batch for
// minibatch).
#pragma once

#include "kernels/parameters.h"
#include "kernels/score.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {

inline constexpr unsigned kMostThreads = 4096;

struct Plan {
    struct Step {
        std::string kind = "decay"; // constant | decay | inverse-time | linear | backoff
        double size = 0.1;          // step size of the first update, but for a warm-up
        double decay = 0.9;         // decay: factor per epoch. backoff: factor on a plateau.
        double half_life = 1.0;     // inverse-time: epochs after which the step has halved
        double plateau = 0.01;      // backoff: relative improvement per epoch below which the step shrinks
        double warm_up = 0;         // epochs over which steps rise to the schedule's; 0: none
    };

    /// How many samples one step takes, of steps that take batches.
    struct Batch {
        std::uint32_t size = 256; // samples of a step
        std::uint32_t gpu = 0;    // where both devices step, samples of a GPU's step; 0: as `size`
        std::string rule =
            "fixed";              // there, fixed | adaptive | adaptive-linear: engine/schemes/two_devices/batch_rule.h
        std::uint32_t most = 256; // adaptive: the largest batch; `size`, which is doubled, is the least
    };

    /// What workers with models of their own exchange, and how often.
    struct Exchange {
        std::uint32_t period =
            4096; // local-sgd, async-local-sgd: samples per worker between exchanges; 0: once per epoch.
                  // replicated: between averages. hogwild++: that a cluster keeps the token for.
                  // hogwild: k of hot updates.
        std::uint32_t doublings = 6; // async-local-sgd: rare coordinates' periods double so often, at most
        std::string combine =
            "sequential";     // sequential | sum | average: kernels/exchange/sequential_share.h, all, 1 / threads
        double coupling = 2;  // sequential: how much steeper losses are than along single coordinates
        unsigned cluster = 1; // hogwild++, replicated: workers that share a model
    };

    /// The hottest coordinates: those that most samples touch.
    struct Hot {
        std::uint32_t count = 0;        // how many; of a GPU's blocks, copies (kernels/cuda/rows/hot_copies.cuh)
        std::string updates = "direct"; // direct | delayed | thinned | replicated: engine/plan/hot_updates.h
        double rule = 1.0;              // share of a copy's increments that reach the buffer: 1 sums over blocks
    };

    /// Workers of a GPU.
    struct Gpu {
        unsigned streams = 4;      // GPU workers, where the GPU steps
        std::uint32_t blocks = 66; // thread blocks of a stream's launch: its warps are the rows in flight
        std::string steps =
            "teams"; // of networks, teams | graphs: kernels/cuda/network/network_steps.cuh, network_graph.h
        std::string products = "float32"; // of graphs, float32 | tf32: what matrices are multiplied with
    };

    /// Memory "replica": the exchange between the host's array and the GPU's copy.
    struct Bridge {
        double rule = 1.0;  // share of the GPU's increments that reach the host's array
        double pause = 0.0; // seconds between two exchanges
    };

    /// A problem "network".
    struct Network {
        std::string layers = "lenet";  // a name or a text: engine/network/network.h
        std::string read = "in-place"; // in-place | copy: how a step on many weights reads them
        std::string update = "none";   // update policies of single layers: engine/network/layer_updates.h
    };

    /// What a network's steps make of a gradient.
    struct Optimizer {
        std::string name = "sgd"; // kernels/network/optimizer.h
        std::string state =
            "shared";         // shared | per-device | per-worker: where the state of workers on one buffer lives
        double beta1 = 0.9;   // of optimisers that have it
        double beta2 = 0.999; // of optimisers that have it
    };

    /// What a step does that is stale.
    struct Staleness {
        std::string rule = "none"; // none | inverse | delay-adaptive | drop: kernels/steps/staleness_rule.h
        std::uint32_t limit = 16;  // R of the last two
    };

    std::string problem = "hinge";     // catalog name
    std::string scheme = "hogwild";    // one of scheme_names()
    std::string update = "racy";       // racy | atomic | cas-bounded | noop
    std::string guard = "none";        // none | locked | locked-read | global-lock | publish
    std::string order = "permutation"; // permutation | replacement | stored
    std::string pin = "cores";         // none | cores | numa
    std::string telemetry = "off";     // off | sampled | exact (ledger and lost-update meter: not for timed runs)
    std::string lanes = "auto";        // auto | scalar | avx2 | avx512: same bits, different speed
    std::string device = "cpu";        // cpu | gpu | both: whose workers step
    std::string memory = "host";       // where the parameter buffer lies: engine/memory/memory_kind.h
    std::string numbers = "float32";   // float32 | fp64 | bf16 | fp16 | int8: what it holds, there too
    std::string rounding = "unbiased"; // unbiased | shared | nearest: of short numbers, kernels/numbers/rounding.h
    std::string placement =
        "stored";                // stored | hottest | scattered | hot-first | hot-apart: engine/data/sparse/placement.h
    unsigned threads = 1;        // CPU workers, where the CPU steps
    double delay = 0.0;          // seconds that a CPU thread adds to each gradient, between its reads and its writes
    std::uint32_t epochs = 10;   // traversals of the training samples, by all workers together
    double l2 = 0.0;             // lambda of (lambda / 2) |w|^2
    double l1 = 0.0;             // svrg, saga: lambda1 of lambda1 |w|_1
    double int8_range = 4;       // numbers int8: how large a weight can be stored (kernels/numbers/int8.h)
    unsigned backup = 1;         // backup-workers: of the threads, how many shares a step does not wait for
    std::uint32_t cas_limit = 8; // cas-bounded, publish: tries before an increment, a step's increments, are dropped
    std::uint32_t observations_per_epoch = 10;
    std::uint64_t seed = 1;
    std::vector<double> parameters{}; // of the problem's model, as `parameters` lists them; empty: the usual ones
    Step step{};
    Batch batch{};
    Exchange exchange{};
    Hot hot{};
    Gpu gpu{};
    Bridge bridge{};
    Network network{};
    Optimizer optimizer{};
    Staleness staleness{};
};

/// Throws Error (Failure::kUsage) for the first field that names something unknown or out of range.
void validate(const Plan& plan);

/// A combination that cannot run, or means nothing, has a reason; an empty string means it can run.
std::string why_not(const Plan& plan);

/// How many clusters of workers share models.
unsigned clusters(const Plan& plan);

/// Workers that exchange what they have of their own: threads, or a GPU's teams where no thread steps.
unsigned exchanging_workers(const Plan& plan);

/// Samples that one of them steps through between two exchanges, of so many in an epoch: `exchange`, or for 0 its share.
std::uint64_t exchange_period(const Plan& plan, std::uint64_t rows);

/// Whether its parameters are of 8 bits, with a range.
bool has_int8(const Plan& plan);

/// Whether its models are networks, and whether every scheme's steps take `batch` samples. Precondition: the problem is in the catalog.
bool takes_network(std::string_view problem);
bool takes_batches(std::string_view problem);

/// What an optimiser takes, and what suits it where nothing is said (kernels/network/optimizer.h). Precondition: its name is known.
struct OptimizerTraits {
    bool state, beta1, beta2;
    double usual_beta2;
    double usual_step; // 0: that of plain SGD, times (1 - beta1) with beta1
};
OptimizerTraits traits(std::string_view optimizer);

/// touches_all: a step touches every weight. is_guided: it can be told where to read and write and by which factor to
/// step, as published vectors and staleness rules want. Precondition: the problem is in the catalog.
bool touches_all(std::string_view problem);
bool is_guided(std::string_view problem);

/// The guard of a plan's kernels under hogwild: its own, or the one that counts steps for a staleness rule.
std::string_view steps_guard(const Plan& plan);

/// Samples that have one step size and one scale of lazy L2 (engine/order/timeline.h).
inline constexpr std::uint32_t kCell = 256;

/// By how many powers of two the scale of lazy L2 falls within kCell steps of this size.
double shrinkage_bits(double step, double l2);

/// How many weights publish copies for steps that touch few of them.
inline constexpr std::uint32_t kMostPublished = 1u << 16;

/// What a problem's samples are scored by. Precondition: the problem is in the catalog.
std::span<const Score> scores_of(std::string_view problem);

/// Whether any of it is of test samples. Precondition: the problem is in the catalog.
bool scores_test(std::string_view problem);

/// Whether more of this score is better; else less is. Precondition: it is one of `known_names("score")`.
bool more_is_better(std::string_view score);

/// Whether GPU streams can step on its samples. Precondition: the problem is in the catalog.
bool runs_on_gpu(std::string_view problem);

/// Whether blocks can copy its hot coordinates (kernels/cuda/rows/hot_copies.cuh). Precondition: the problem is in the catalog.
bool has_hot_copies(std::string_view problem);

/// Whether streams can step on parameters of 16 bits (kernels/numbers/storage.h). Precondition: the problem is in the catalog.
bool has_halves(std::string_view problem);

/// Whether its losses have a regulariser. Precondition: the problem is in the catalog.
bool regularised(std::string_view problem);

/// Whether a step projects what it writes, so that increments do not add up. Precondition: the problem is in the catalog.
bool projects(std::string_view problem);

/// Whether a step takes long beside one on a rating or an edge. Precondition: the problem is in the catalog.
bool has_long_steps(std::string_view problem);

/// Whether its loss is convex, of problems that are not linear. Precondition: the problem is in the catalog.
bool convex(std::string_view problem);

/// lambda where nothing is said, of so many samples; of ratings for each unit of their deviation. Precondition: the problem is in
/// the catalog.
double usual_l2(std::string_view problem, std::uint64_t samples, double deviation = 1);

/// The parameters of a problem's models. Precondition: the problem is in the catalog.
std::span<const Parameter> parameters(std::string_view problem);

/// Its name on a command line: "--rank".
std::string option_of(const Parameter& parameter);

/// The plan's, with the usual ones where it names none.
std::vector<double> parameters(const Plan& plan);

/// That of the name; nothing where the problem's models have none.
std::optional<double> parameter(const Plan& plan, std::string_view name);

/// Whether L2 shrinks all weights at every step; else each sample shrinks what it touches. Precondition: the problem is in the
/// catalog.
bool shrinks_all(std::string_view problem);

/// lambda of lazy L2 (kernels/patterns/sparse_rows.h): the plan's. It is 0 where samples shrink what they touch (by the
/// problem, or by a scheme's proximal steps), and where columns do. Each of M replicated models steps at one sample of
/// M, and has the M-th part.
double lazy_l2(const Plan& plan);

/// By which share one sample shrinks what it touches: step x lambda; of a batch whose samples shrink what they touch, step x lambda
/// / batch.
double shrinkage(const Plan& plan);

/// Threads and streams that step.
unsigned cpu_workers(const Plan& plan);
unsigned gpu_workers(const Plan& plan);

/// Whether GPU workers replay a captured graph of their step, a stream each.
bool steps_by_graphs(const Plan& plan);

/// What steps at the same time where a GPU's steps take batches: teams of thread blocks (kernels/cuda/network/team_memory.h), or streams with graphs.
unsigned gpu_teams(const Plan& plan);

/// Whether CPU threads and a GPU both step, by batches. Precondition: the problem is in the catalog.
bool has_two_batches(const Plan& plan);

/// Whether batches change during the run, and whether step sizes then grow with them.
bool adapts(const Plan& plan);
bool scales_steps(const Plan& plan);

/// The GPU's batches before any has changed; and the largest of either device.
std::uint32_t first_gpu_batch(const Plan& plan);
std::uint32_t most_cpu_batch(const Plan& plan);
std::uint32_t most_gpu_batch(const Plan& plan);

/// Threads that exchange increments between the host's array and a replica.
unsigned bridges(const Plan& plan);

/// `field=value` lines, in declaration order; the text that is hashed and stored.
std::vector<std::pair<std::string, std::string>> fields(const Plan& plan);

/// The plan of such texts; what is not there keeps its default. Throws Error (Failure::kUsage) for a field that no plan has,
/// or a number that is none; does not validate.
Plan plan_of(const std::vector<std::pair<std::string, std::string>>& texts);

/// XXH3 of the fields' text.
std::uint64_t hash(const Plan& plan);

} // namespace hogwild
