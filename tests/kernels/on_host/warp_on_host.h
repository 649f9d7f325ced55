// Runs a warp's code of kernels/cuda on the host. Each lane has a stack of its own, and runs one after another from
// meeting to meeting, the last lane first every second time. So what one lane must wait for before it reads another's
// memory shows. It needs no GPU.
//
// To be included ahead of headers of kernels/cuda. Lanes that meet over different things end the program.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include <ucontext.h>

#define __device__

struct alignas(16) float4 {
    float x, y, z, w;
};

inline struct ThreadIndex { unsigned x = 0; } threadIdx;
inline constexpr struct GridSize { unsigned x = 1; } gridDim; // the warp is a block, and the only one

namespace hogwild {

class WarpOnHost {
public:
    static constexpr unsigned kLanes = 32;

    /// In all lanes; returns when all have ended.
    static void run(const std::function<void()>& work) {
        work_ = &work;
        for (Lane& lane : lanes_) {
            lane.stack.resize(std::size_t{1} << 17);
            lane.place = kBegun;
            getcontext(&lane.context);
            lane.context.uc_stack.ss_sp = lane.stack.data();
            lane.context.uc_stack.ss_size = lane.stack.size();
            makecontext(&lane.context, walk, 0);
        }
        for (unsigned round = 0; lanes_[0].place != kEnded; ++round) {
            for (unsigned i = 0; i < kLanes; ++i) go_on(round % 2 == 0 ? i : kLanes - 1 - i);
            for (unsigned i = 0; i < kLanes; ++i) said_[i] = lanes_[i].says;
            for (const Lane& lane : lanes_)
                if (lane.place != lanes_[0].place) std::abort();
        }
    }

    /// What each lane says at such a place, once all have said it.
    template <class T>
    static std::array<T, kLanes> meet(unsigned place, T value) {
        Lane& lane = lanes_[threadIdx.x];
        lane.place = place;
        std::memcpy(&lane.says, &value, sizeof value);
        swapcontext(&lane.context, &host_);
        std::array<T, kLanes> all;
        for (unsigned i = 0; i < kLanes; ++i) std::memcpy(&all[i], &said_[i], sizeof value);
        return all;
    }

private:
    static constexpr unsigned kBegun = ~0u, kEnded = ~1u;

    struct Lane {
        ucontext_t context;
        std::vector<char> stack;
        unsigned place;
        std::uint64_t says;
    };

    static void walk() {
        (*work_)();
        Lane& lane = lanes_[threadIdx.x];
        lane.place = kEnded;
        swapcontext(&lane.context, &host_);
    }

    static void go_on(unsigned lane) {
        threadIdx.x = lane;
        swapcontext(&host_, &lanes_[lane].context);
    }

    static inline std::array<Lane, kLanes> lanes_;
    static inline std::array<std::uint64_t, kLanes> said_;
    static inline ucontext_t host_;
    static inline const std::function<void()>* work_ = nullptr;
};

} // namespace hogwild

template <class T>
T __shfl_sync(unsigned, T value, unsigned from) {
    return hogwild::WarpOnHost::meet(from, value)[from];
}

template <class T>
T __shfl_xor_sync(unsigned, T value, unsigned distance) {
    return hogwild::WarpOnHost::meet(100 + distance, value)[threadIdx.x ^ distance];
}

inline unsigned __ballot_sync(unsigned, bool says) {
    unsigned bits = 0, lane = 0;
    for (const bool said : hogwild::WarpOnHost::meet(200, says)) bits |= unsigned{said} << lane++;
    return bits;
}

inline bool __any_sync(unsigned all, bool says) { return __ballot_sync(all, says) != 0; }
inline void __syncwarp() { hogwild::WarpOnHost::meet(300, 0); }
inline unsigned __popc(unsigned bits) { return static_cast<unsigned>(std::popcount(bits)); }

template <class T>
T __ldcs(const T* at) {
    return *at;
}

template <class T>
T __ldcg(const T* at) {
    return *at;
}

inline long long __double2ll_rn(double value) { return std::llrint(value); }

// One lane after another: nothing comes between.
template <class T>
T atomicAdd(T* at, T by) {
    return std::exchange(*at, *at + by);
}

template <class T>
T atomicExch(T* at, T value) {
    return std::exchange(*at, value);
}

inline unsigned atomicInc(unsigned* at, unsigned most) { return std::exchange(*at, *at >= most ? 0 : *at + 1); }

inline void __syncthreads() { __syncwarp(); }

using std::min;
