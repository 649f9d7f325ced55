// The one seam to oneTBB: everything parallel that is not a worker of a scheme (parsing, evaluation, generators).
//
// Debian's oneTBB is not instrumented, so ThreadSanitizer cannot see its fork and join; the seam states them
// (engine/machine/happens_before.h) and no suppression is needed. Exceptions thrown by a body reach the caller. Loops
// nest, and several threads may run loops at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace hogwild {

/// Threads that parallel_for may use from now on; the default is usable_cores() (engine/machine/cores.h).
/// Not while a loop runs.
void set_parallelism(unsigned threads);
unsigned parallelism();

/// Calls body(begin, end) for disjoint ranges that cover [0, count), each of at most `grain` items. They start at
/// multiples of `grain` (at least 1), so the split does not depend on the number of threads.
void parallel_for(std::uint64_t count, std::uint64_t grain,
                  const std::function<void(std::uint64_t, std::uint64_t)>& body);

/// Values of body(begin, end) for the same ranges, in order: folding them gives the same bits at any thread count.
template <class T, class Body>
std::vector<T> parallel_map(std::uint64_t count, std::uint64_t grain, const Body& body) {
    std::vector<T> parts((count + grain - 1) / grain);
    parallel_for(count, grain,
                 [&](std::uint64_t begin, std::uint64_t end) { parts[begin / grain] = body(begin, end); });
    return parts;
}

} // namespace hogwild
