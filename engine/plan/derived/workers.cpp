#include "engine/plan/derived/workers.h"

#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/cuda/network/team_memory.h"

#include <algorithm>
#include <bit>

namespace hogwild {

unsigned cpu_workers(const Plan& plan) { return device_traits(plan).threads ? plan.threads : 0; }

unsigned gpu_workers(const Plan& plan) {
    const OnGpu does = scheme_traits(plan).on_gpu;
    const bool steps = does == OnGpu::kStreams || (does == OnGpu::kTeams && problem_traits(plan).takes_network);
    return device_traits(plan).gpu && steps ? plan.gpu.streams : 0;
}

bool steps_by_graphs(const Plan& plan) {
    return wants_graphs(plan) && scheme_traits(plan).on_gpu == OnGpu::kStreams && gpu_workers(plan) > 0 &&
           problem_traits(plan).takes_network;
}

unsigned gpu_teams(const Plan& plan) {
    return gpu_workers(plan) * (steps_by_graphs(plan) ? 1 : plan.gpu.blocks / blocks_of_team(plan.gpu.blocks));
}

unsigned bridges(const Plan& plan) { return gpu_workers(plan) > 0 && is_replica(memory_kind(plan)) ? 1 : 0; }

unsigned clusters(const Plan& plan) { return (plan.threads + plan.exchange.cluster - 1) / plan.exchange.cluster; }

unsigned exchanging_workers(const Plan& plan) {
    return !device_traits(plan).threads && gpu_workers(plan) > 0 ? gpu_teams(plan) : plan.threads;
}

std::uint64_t exchange_period(const Plan& plan, std::uint64_t rows) {
    return plan.exchange.period > 0 ? plan.exchange.period
                                    : std::max<std::uint64_t>(1, rows / exchanging_workers(plan));
}

bool has_two_batches(const Plan& plan) {
    return scheme_traits(plan).on_gpu == OnGpu::kStreams && on_both(plan) && problem_traits(plan).takes_batches;
}

bool adapts(const Plan& plan) { return batch_rule_traits(plan).adapts; }
bool scales_steps(const Plan& plan) { return batch_rule_traits(plan).scales_steps; }

std::uint32_t first_gpu_batch(const Plan& plan) { return plan.batch.gpu > 0 ? plan.batch.gpu : plan.batch.size; }

std::uint32_t most_cpu_batch(const Plan& plan) {
    return adapts(plan) ? plan.batch.size * std::bit_floor(std::max(plan.batch.most / plan.batch.size, 1u))
                        : plan.batch.size;
}

std::uint32_t most_gpu_batch(const Plan& plan) { return adapts(plan) ? most_cpu_batch(plan) : first_gpu_batch(plan); }

} // namespace hogwild
