// Squads: the threads of a block that work on a tile together.
#pragma once

namespace hogwild::device {

/// A block's threads are squads, each of which works on a tile of its own: while one waits for memory another multiplies.
inline constexpr unsigned kSquadThreads = 256;

/// Some of the threads that share out a phase of a step.
struct Squad {
    unsigned rank, size;                           // among how many
    unsigned index = threadIdx.x / kSquadThreads;  // in its block
    unsigned thread = threadIdx.x % kSquadThreads; // this one's number in it

    /// Waits for the squad's threads.
    __device__ void sync() const { asm volatile("bar.sync %0, 256;" ::"r"(index + 1) : "memory"); }
};

} // namespace hogwild::device
