// A team's replica of the weights that all teams share. The team alone steps on it. It exchanges increments with the
// others without a barrier, and waits for nobody. Threads do the same in engine/schemes/async_local_sgd.cpp.
//
//   shared += share x (own - base);   own = base = shared
//
// Coordinate by coordinate, by an atomic increment that answers: no exchange loses what another gives at the same time,
// and nothing counts twice. The share is one for all coordinates (kernels/cuda/network/replica_rule.h).
// Teams' first exchanges lie at other moments of a period, so that all are spread over it. A launch begins from the
// shared weights and ends with an exchange. Between launches the shared weights hold all increments, and a team's own
// are of no use. Cost of an exchange: two reads and two writes of the team's own memory, which lies in the second-level
// cache, and an increment there. A thread takes four coordinates at a time, and has eight such accesses under way.
#pragma once

#include "kernels/cuda/memory/copy_weights.cuh"
#include "kernels/cuda/memory/quad.cuh"
#include "kernels/cuda/network/block_team.cuh"
#include "kernels/cuda/network/replica_rule.h"
#include "kernels/cuda/network/team_memory.h"

#include <cstdint>

namespace hogwild::device {

/// In the memory of each of the team's blocks, so that it takes no registers while the team steps.
class TeamReplica {
public:
    /// By one thread of each block.
    __device__ void make(const ReplicaRule& rule, const TeamMemory& memory, float* shared, std::uint32_t coordinates) {
        const unsigned teams = gridDim.x / BlockTeam::size();
        rule_ = &rule;
        shared_ = shared;
        own_ = memory.replica();
        base_ = memory.base();
        coordinates_ = coordinates;
        const std::uint64_t turn = std::uint64_t{rule.period} * (BlockTeam::number() + 1) / teams;
        left_ = max(1u, static_cast<std::uint32_t>(turn));
        stepped_ = 0;
    }

    __device__ float* weights() const { return own_; }

    /// Becomes the shared weights. By all threads of the team, whose number so many is.
    __device__ __noinline__ void begin(std::uint32_t thread, std::uint32_t threads) const {
        copy_weights(base_, shared_, coordinates_, thread, threads);
        copy_weights(own_, base_, coordinates_, thread, threads); // what this thread wrote
    }

    /// By one thread of each block, before the step: of so many samples, with this step size.
    __device__ void steps(std::uint32_t samples, double size) {
        if (left_ == 0) { // the step before it was exchanged
            left_ = rule_->period;
            stepped_ = 0;
        }
        left_ -= min(left_, samples);
        stepped_ += static_cast<float>(size * samples);
    }

    /// After the step, between two syncs of the team, and after its last one of a launch. By all its threads.
    __device__ void exchange_due(std::uint32_t thread, std::uint32_t threads) const {
        if (left_ == 0) exchange(rule_->share_of(stepped_), thread, threads);
    }
    __device__ void exchange_rest(std::uint32_t thread, std::uint32_t threads) const {
        if (left_ > 0) exchange(rule_->share_of(stepped_), thread, threads);
    }

private:
    static constexpr unsigned kAhead = 8; // loads of a thread that wait together, then increments

    __device__ __noinline__ void exchange(float share, std::uint32_t thread, std::uint32_t threads) const {
        float *const shared = shared_, *const own = own_, *const base = base_;
        const std::uint32_t count = coordinates_, quads = count / 4;
        for (std::uint32_t first = thread; first < quads; first += kAhead * threads) {
            const auto at = [=](unsigned i) { return 4 * min(first + i * threads, quads - 1); };
            const auto is_there = [=](unsigned i) { return first + i * threads < quads; };
            float4 given[kAhead], fresh[kAhead];
#pragma unroll
            for (unsigned i = 0; i < kAhead; ++i)
                given[i] = is_there(i) ? moved(own + at(i), base + at(i), share) : float4{};
#pragma unroll
            for (unsigned i = 0; i < kAhead; ++i) fresh[i] = give(shared + at(i), given[i]);
#pragma unroll
            for (unsigned i = 0; i < kAhead; ++i) {
                const float4 now = sum(fresh[i], given[i]);
                if (is_there(i)) four(own + at(i)) = four(base + at(i)) = now;
            }
        }
        for (std::uint32_t j = 4 * quads + thread; j < count; j += threads) {
            const float given = share * (own[j] - base[j]);
            own[j] = base[j] = fetch_add<Scope::kDevice>(shared[j], given) + given;
        }
    }

    __device__ static float4& four(float* at) { return *reinterpret_cast<float4*>(at); }
    __device__ static float4 moved(float* own, float* base, float share) {
        const float4 is = four(own), was = four(base);
        return {share * (is.x - was.x), share * (is.y - was.y), share * (is.z - was.z), share * (is.w - was.w)};
    }
    __device__ static float4 sum(const float4& a, const float4& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    }

    /// What was there before. Nothing is added to weights that no step wrote, such as those of a digit's black border.
    __device__ static float4 give(float* shared, const float4& by) {
        const bool nothing = by.x == 0 && by.y == 0 && by.z == 0 && by.w == 0;
        return nothing ? relaxed_load_four<Scope::kDevice>(shared) : fetch_add_four(shared, by);
    }

    const ReplicaRule* rule_;
    float *shared_, *own_, *base_;
    std::uint32_t coordinates_;
    std::uint32_t left_; // samples until the next exchange; 0: it comes after this step
    float stepped_;      // step sizes since the last one, added up over samples
};

} // namespace hogwild::device
