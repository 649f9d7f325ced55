// How far a run of claimed chunks has come, as a worker that just walked chunk g knows it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// A worker holds at most two claims, the chunk it walks and the next, so of the last 2 M + 1 claimed chunks one is done: the
/// run has come at least that far, however late this worker is. `claimed`: the counter, which may have passed `chunks`.
inline std::uint64_t reached(std::uint64_t g, std::uint64_t claimed, std::uint64_t chunks, unsigned workers) {
    const std::uint64_t claims = std::min(chunks, claimed);
    const std::uint64_t open = 2 * std::uint64_t{workers} + 1;
    return claims > open ? std::max(g, claims - open) : g;
}

} // namespace hogwild
