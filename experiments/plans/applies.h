// Which axes mean something for a plan. An axis that does not apply is set to its neutral value, so that a product holds
// each distinct run once, and is left empty in tables and files.
//
// What a scheme takes says its row (engine/plan/scheme_traits.h), what a name of another axis stands for engine/plan/choices.h, what a
// problem has its access pattern (kernels/patterns/). `applies` combines them, an axis a line.
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <string_view>

namespace hogwild {

struct Applies {
    bool threads, update, guard, batch, backup, exchange, doublings, combine, coupling, read, optimizer, state, beta1,
        beta2, l2, telemetry, decay, half_life, plateau, cas_limit;
    bool layer_update, staleness_rule, staleness_limit;
    bool device, memory, int8_range, streams, blocks, gpu_steps, products, hot_rule, bridge, batch_rule, batch_most;
    bool cluster, hot_updates, hot, network;
};

Applies applies(const Plan& plan);

/// Whether a run cannot go without a GPU.
bool wants_gpu(const Plan& plan);

/// The memory that a device's workers are fastest on: "host" for cpu, "device" for gpu, "replica" for both.
std::string home_of(std::string_view device);

/// The cores; beside a GPU one fewer for every stream and for a replica's bridge, whose threads take one, and one for the rest
/// of the system.
unsigned usual_threads(const Plan& plan, unsigned cores);

/// The update policy, and what increments of hot coordinates become instead: "racy", "racy+delayed".
std::string update_text(const Plan& plan);

/// The hot coordinates where nothing is said: of threads whose increments of them are not direct 256; that blocks of a GPU copy the
/// few that make increments wait for each other, where there are enough blocks for that. Of samples that hold every column
/// (`dense_columns` of them, else 0) blocks copy all or none.
std::uint32_t usual_hot(const Plan& plan, std::uint32_t dense_columns = 0);

/// Where coordinates lie where nothing is said: the hot ones together where a GPU's blocks copy them or replicas exchange them, else
/// scattered where a GPU steps on sparse rows.
std::string usual_placement(const Plan& plan, std::uint32_t dense_columns = 0);

/// Where a placement of hot coordinates is asked for on threads, and not of how many, of as many as they have by default.
void suit_placement(Plan& plan);

/// The plan with the neutral value (Plan's own default) in every axis that does not apply; but an optimiser or policies of layers
/// that its problem has not, and L1 that its scheme has not, stay, to be refused.
Plan collapsed(Plan plan);

} // namespace hogwild
