// How much a GPU stream claims at once beside CPU threads.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// Chunks of `chunk` samples, 1 to `longest`, that a stream which consumed `done` samples in `seconds` steps through in
/// 2 ms. So nobody waits long at the end for a GPU that is slow on this memory. One that is fast is not kept waiting by
/// its host. Source: batch sizes that follow the devices' speeds (Ma and Rusu, "Adaptive Stochastic Gradient Descent
/// for Deep Learning on Heterogeneous CPU+GPU Architectures", 2020).
inline std::uint64_t turn(std::uint64_t done, double seconds, double chunk, std::uint64_t longest) {
    constexpr double kTurn = 0.002; // seconds
    const double chunks = static_cast<double>(done) / std::max(seconds, 1e-9) * kTurn / chunk;
    return static_cast<std::uint64_t>(std::clamp(chunks, 1.0, static_cast<double>(longest)));
}

} // namespace hogwild
