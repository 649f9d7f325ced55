// A run as one value: everything its result depends on, and nothing else. Printable, hashable, stored with the result.
//
// Names ("hinge", "racy", ...) are checked against the catalog by `validate`. Units: counts are samples unless said otherwise;
// step sizes multiply the gradient of one sample's loss (of the mean over a batch for
// minibatch).
#pragma once

#include "engine/plan/step_settings.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hogwild {

struct Plan {
    using Step = StepSettings; // engine/plan/step_settings.h

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

/// `field=value` lines, in declaration order; the text that is hashed and stored.
std::vector<std::pair<std::string, std::string>> fields(const Plan& plan);

/// The plan of such texts; what is not there keeps its default. Throws Error (Failure::kUsage) for a field that no plan has,
/// or a number that is none; does not validate.
Plan plan_of(const std::vector<std::pair<std::string, std::string>>& texts);

/// XXH3 of the fields' text.
std::uint64_t hash(const Plan& plan);

} // namespace hogwild
