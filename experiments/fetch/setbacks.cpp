#include "experiments/fetch/setbacks.h"

#include <chrono>
#include <thread>

namespace hogwild {

bool Setbacks::brought_more(std::uint64_t bytes) {
    if (bytes <= most_) return false;
    if (bytes - most_ >= kProgress) count_ = 0;
    most_ = bytes;
    return true;
}

bool Setbacks::pause(const std::atomic<bool>& interrupt) const {
    constexpr std::chrono::milliseconds kLook{20};
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kFirstPause) * (1 << (count_ - 1));
    while (std::chrono::steady_clock::now() < until) {
        if (interrupt.load(std::memory_order_relaxed)) return false;
        std::this_thread::sleep_for(kLook);
    }
    return true;
}

} // namespace hogwild
