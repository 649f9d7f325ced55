// How many workers step under a plan, in which groups they exchange, and what batches they take.
//
// Thread-safety: pure functions. Preconditions of all: the plan's names are known.
#pragma once

#include <cstdint>

namespace hogwild {

struct Plan; // engine/plan/plan.h

inline constexpr unsigned kMostThreads = 4096;

/// Threads and streams that step.
unsigned cpu_workers(const Plan& plan);
unsigned gpu_workers(const Plan& plan);

/// Whether GPU workers replay a captured graph of their step, a stream each.
bool steps_by_graphs(const Plan& plan);

/// What steps at the same time where a GPU's steps take batches: teams of thread blocks (kernels/cuda/network/team_memory.h), or streams with graphs.
unsigned gpu_teams(const Plan& plan);

/// Threads that exchange increments between the host's array and a replica.
unsigned bridges(const Plan& plan);

/// How many clusters of workers share models.
unsigned clusters(const Plan& plan);

/// Workers that exchange what they have of their own: threads, or a GPU's teams where no thread steps.
unsigned exchanging_workers(const Plan& plan);

/// Samples that one of them steps through between two exchanges, of so many in an epoch: `exchange`, or for 0 its share.
std::uint64_t exchange_period(const Plan& plan, std::uint64_t rows);

/// Whether CPU threads and a GPU both step, by batches.
bool has_two_batches(const Plan& plan);

/// Whether batches change during the run, and whether step sizes then grow with them.
bool adapts(const Plan& plan);
bool scales_steps(const Plan& plan);

/// The GPU's batches before any has changed; and the largest of either device.
std::uint32_t first_gpu_batch(const Plan& plan);
std::uint32_t most_cpu_batch(const Plan& plan);
std::uint32_t most_gpu_batch(const Plan& plan);

} // namespace hogwild
