// Which axes mean something for a plan. An axis that does not apply is set to its neutral value, so that a product holds
// each distinct run once, and is left empty in tables and files.
//
//   serial       one thread, writes alone: no threads, update, guard, batch, exchange
//   hogwild      no batch, no exchange; a guard other than none already orders writers: no choice of update
//   round-robin  writes in turn: no update, guard, batch, exchange
//   conflict-free  nobody writes what another reads: no update, guard, batch, exchange, telemetry
//   cyclades     likewise, with a batch
//   minibatch    reduces deterministically: no update, guard, exchange; no concurrent writers, so no telemetry
//   backup-workers  as minibatch, on CPU threads, with a number of backups
//   local-sgd    one model per worker: no update, guard, batch, telemetry
//   async-local-sgd  likewise, with a way to combine increments, of sparse rows doublings of the exchange; coupling is sequential's
//   replicated, hogwild++  likewise, but for the combining; how many workers share a model
//   svrg, saga   racy steps of their own: no update, guard, batch, exchange, telemetry
//   columns      an update, of margins: no guard, batch, exchange, telemetry
//   optimizer    networks; where its state lives those on one buffer say, its betas those optimisers that have them
//   step         constant and inverse-time have no decay; only inverse-time has a half-life, only backoff a plateau
//   l2           problems with a regulariser
//   device       only hogwild and minibatch, and async-local-sgd of networks, have a form for a GPU; threads are the CPU's
//   memory       hogwild, svrg, saga and columns, serial among the host's short numbers; minibatch keeps to its device's own
//   int8_range   where the memory is of int8
//   streams, blocks  hogwild and async-local-sgd on a GPU, graphs without blocks; a bridge is replica's
//   hot          hogwild, on a GPU or where increments of hot coordinates are not direct; these have an exchange, and replicated ones
//                what async-local-sgd has
//   gpu_steps, products  networks under hogwild on a GPU; products are graphs' to choose
//   cas_limit    only cas-bounded and publish count their tries
//   batch_rule   hogwild of networks on both devices, and with it a batch of the GPU's own; only adaptive rules have a bound
//   network, read  networks; minibatch's workers read for all of a batch
//   layer_update  networks, where update does
//   staleness_rule  hogwild where steps touch every weight, of a GPU if one is asked for (of both it stays, to be refused), and
//                on sparse rows if one is; only some rules have a limit
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
