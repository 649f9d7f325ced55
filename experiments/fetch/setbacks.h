// Attempts in a row that ended too early: the pauses between them double, and at last it is enough.
//
// Not thread-safe. Errors: none.
#pragma once

#include <atomic>
#include <cstdint>

namespace hogwild {

class Setbacks {
public:
    static constexpr int kMost = 5;                                    // in a row
    static constexpr int kFirstPause = 100;                            // milliseconds
    static constexpr std::uint64_t kProgress = std::uint64_t{1} << 20; // bytes that begin a new row

    /// `bytes`: those that are there already.
    explicit Setbacks(std::uint64_t bytes) : most_(bytes) {}

    /// Whether there are more bytes than ever before.
    bool brought_more(std::uint64_t bytes);

    /// One more. Whether it is enough.
    bool too_many() { return ++count_ > kMost; }

    /// Waits before the next attempt. False: `interrupt` came first.
    bool pause(const std::atomic<bool>& interrupt) const;

private:
    std::uint64_t most_;
    int count_ = 0;
};

} // namespace hogwild
