// Which axes mean something for a plan. An axis that does not apply is set to its neutral value, so that a product holds
// each distinct run once, and is left empty in tables and files.
//
//   serial       one thread, writes alone: no threads, update, guard, batch, exchange
//   hogwild      no batch, no exchange; a guard other than none already excludes other writers: no choice of update
//   round-robin  writes in turn: no update, guard, batch, exchange
//   minibatch    reduces deterministically: no update, guard, exchange; no concurrent writers, so no telemetry
//   local-sgd    one model per worker: no update, guard, batch, telemetry
//   step         constant and inverse-time have no decay; only inverse-time has a half-life, only backoff a plateau
//   update       only cas-bounded counts its tries
#pragma once

#include "engine/plan.h"

namespace hogwild {

struct Applies {
    bool threads, update, guard, batch, exchange, telemetry, decay, half_life, plateau, cas_limit;
};

Applies applies(const Plan& plan);

/// The plan with the neutral value (Plan's own default) in every axis that does not apply.
Plan collapsed(Plan plan);

} // namespace hogwild
