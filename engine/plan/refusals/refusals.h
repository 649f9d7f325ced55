// What goes against a plan whatever its samples are, each of its parts by itself. `why_not` (engine/plan/plan.h) asks all of them.
//
// Each returns the reason and what to try, or nothing. Precondition: the plan's names are known. Thread-safe: pure functions.
#pragma once

#include <string>

namespace hogwild {

struct Plan; // engine/plan/plan.h

std::string why_not_floats(const Plan& plan);    // doubles that steps take as floats
std::string why_not_optimizer(const Plan& plan); // other than plain SGD
std::string why_not_network(const Plan& plan);
std::string why_not_layers(const Plan& plan);      // policies of single layers
std::string why_not_device(const Plan& plan);      // with its memory
std::string why_not_graphs(const Plan& plan);      // how GPU workers step on networks
std::string why_not_smooth(const Plan& plan);      // corrected steps, steps on columns, doubles, L1
std::string why_not_short(const Plan& plan);       // numbers of 16 and 8 bits
std::string why_not_clusters(const Plan& plan);    // models that clusters share
std::string why_not_delay(const Plan& plan);       // gradients that are delayed
std::string why_not_workers(const Plan& plan);     // how many, and the batches of their steps
std::string why_not_two_batches(const Plan& plan); // batches of a GPU's own, and such that change
std::string why_not_guard(const Plan& plan);
std::string why_not_stale(const Plan& plan);     // rules for stale steps
std::string why_not_counted(const Plan& plan);   // a meter of lost updates where nothing is written
std::string why_not_shrinkage(const Plan& plan); // steps times lambda
std::string why_not_telemetry(const Plan& plan);

/// Whether its update policy is one of the two that most steps have a form for.
bool is_racy_or_atomic(const Plan& plan);

} // namespace hogwild
