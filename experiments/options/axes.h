// The axes of an experiment as the command line gives them: each holds one or more values, their product is run.
//
// Grammar of a list: values separated by commas, or brackets that stand for several (experiments/options/lists.h). Integers may be
// ranges: for threads `1..16` doubles (1,2,4,8,16), for seeds `1..5` counts (1,2,3,4,5). Threads also take `all`:
// powers of two up to the usable cores, and all of them. L2 takes `1/n` for one over the number of training samples.
// Errors: Error (Failure::kUsage) that names the option, the value and what is possible.
#pragma once

#include "experiments/options/lists.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// Stands for 1/n among values of l2 until the number of samples is known.
inline constexpr double kOneOverRows = -std::numeric_limits<double>::infinity();

/// Of a step's rise: epochs, or samples until their number is known.
struct WarmUp {
    double amount = 0;
    bool samples = false;

    friend bool operator==(const WarmUp&, const WarmUp&) = default;
};

struct Axes {
    std::vector<std::string> problem{"hinge"};
    std::vector<std::string> scheme{"serial", "hogwild"};
    std::vector<std::string> guard{"none"};
    std::vector<std::string> order{"permutation"};
    std::vector<std::string> pin{"cores"};
    std::vector<std::string> lanes{"auto"};
    std::vector<std::string> telemetry{"off"};
    std::vector<std::string> device{"cpu"};
    std::vector<std::string> optimizer{"sgd"};
    std::vector<std::string> state{"shared"};
    std::vector<double> beta1{0.9};
    std::vector<std::string> gpu_steps{"teams"};
    std::vector<std::string> products{"float32"};
    std::vector<unsigned> streams{4};
    std::vector<std::uint32_t> blocks{66};
    std::vector<std::string> hot_updates{"direct"}; // of hogwild run experiments/plans/hot_default.h
    std::vector<double> hot_rule{1};
    std::vector<double> bridge_rule{1};
    std::vector<double> bridge_pause{0};
    std::vector<double> delay{0};
    std::vector<WarmUp> warm_up;
    std::vector<std::string> layer_update{"none"};
    std::vector<std::string> staleness_rule{"none"};
    std::vector<std::uint32_t> staleness_limit{16};
    std::vector<unsigned> backup{1};
    std::vector<std::uint32_t> gpu_batch{0};
    std::vector<std::string> batch_rule{"fixed"};
    std::vector<std::uint32_t> batch_most{256};
    std::vector<std::uint32_t> exchange_doublings{6};
    std::vector<std::string> combine{"sequential"};
    std::vector<double> coupling{2};
    std::vector<std::uint64_t> seed{1};

    // Empty: what (problem, scheme, device) asks for, see experiments/plans/defaults.h and experiments/plans/applies.h.
    std::vector<unsigned> threads;
    std::vector<unsigned> cluster;
    std::vector<std::string> memory;
    std::vector<std::string> update;
    std::vector<std::uint32_t> hot;
    std::vector<std::string> placement;
    std::vector<std::string> step;
    std::vector<double> step_size;
    std::vector<double> step_scale; // times step_size, or its default
    std::vector<double> decay;
    std::vector<double> l2;
    std::vector<std::string> network;
    std::vector<std::string> read;
    std::vector<double> beta2;
    std::vector<std::uint32_t> epochs;
    std::vector<std::uint32_t> batch;
    std::vector<std::uint32_t> exchange;
    std::map<std::string, std::vector<double>, std::less<>> parameters; // of models (kernels/parameters.h), by name

    // One value for every run.
    unsigned cores = 1;      // that runs may use
    unsigned node_cores = 0; // that share a node (engine/workers/placement.h); 0: those of this machine
    double half_life = 1.0;
    double plateau = 0.01;
    std::uint32_t cas_limit = 8;
    double l1 = 0;
    double int8_range = 4;
    std::uint32_t observations_per_epoch = 10;

    /// The options that were given, as they are typed: "--update". What was asked for by name and has no effect is said.
    std::set<std::string, std::less<>> given;
};

/// `option` is named in errors, as the user typed it: "--threads".
std::vector<double> real_list(std::string_view option, std::string_view text);
std::vector<double> scale_list(std::string_view option, std::string_view text); // above 0
std::vector<double> l2_list(std::string_view option, std::string_view text);
std::vector<WarmUp> warm_up_list(std::string_view option, std::string_view text); // "0.5,1000samples"
std::vector<std::uint32_t> count_list(std::string_view option, std::string_view text);
std::vector<std::uint64_t> seed_list(std::string_view option, std::string_view text);
std::vector<unsigned> thread_list(std::string_view option, std::string_view text, unsigned usable_cores);

/// Workers that share a model: numbers, core for 1, node for the cores of a node (engine/workers/placement.h), machine for all.
std::vector<unsigned> cluster_list(std::string_view option, std::string_view text, unsigned node_cores);

/// Numbers of threads above `usable_cores` become that, each number once. True when one was.
bool cap_threads(std::vector<unsigned>& threads, unsigned usable_cores);

} // namespace hogwild
