// The finish line of rounds of workers: the first so many to finish a round make its step, whoever is late finds it over.
//
// One word holds the round, how many workers have claimed a place in it, and how many have finished. So a late worker
// can neither claim a place in a round nor finish one but the round that it means.
//
// Thread-safety: any worker may call `claim`, `is_open` and `finish` at any time. `open` is for one of those who
// finished the last round, once nobody needs what they shared in it. Who claims a place sees what that one did before
// `open`. A barrier of those who finished hands on what a worker did before it finished.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace hogwild {

class FinishLine {
public:
    static constexpr std::uint32_t kOver = ~std::uint32_t{0}; // the round after the last

    struct Place {
        std::uint32_t round;
        std::uint32_t number; // in the order of claims, from 0
    };

    /// `wanted` finish a round, at most 65,535, as many as may claim. None is open.
    explicit FinishLine(std::uint32_t wanted) : wanted_(wanted), word_(word(0, 0, wanted)) {}

    /// Rounds are numbered from 1.
    void open(std::uint32_t round) { word_.store(word(round, 0, 0), std::memory_order_release); } // release: see above

    /// A place in the open round, if it is another than `last`, the caller's last one.
    std::optional<Place> claim(std::uint32_t last) {
        std::uint64_t seen = word_.load(std::memory_order_acquire); // acquire: what was done before it opened
        while (wants(seen) && round(seen) != last) {
            if (word_.compare_exchange_weak(seen, seen + kOneClaim, std::memory_order_acquire))
                return Place{round(seen), claimed(seen)};
        }
        return {};
    }

    /// Whether it still wants workers to finish. Who read by acquire what was written for a later round is told that it does not.
    bool is_open(std::uint32_t of) const {
        const std::uint64_t seen = word_.load(std::memory_order_relaxed);
        return round(seen) == of && wants(seen);
    }

    /// How many finished before the caller; nothing: it is late.
    std::optional<std::uint32_t> finish(std::uint32_t of) {
        std::uint64_t seen = word_.load(std::memory_order_relaxed);
        while (round(seen) == of && wants(seen)) {
            if (word_.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) return finished(seen);
        }
        return {};
    }

    /// Whether the round kOver has been opened.
    bool is_over() const { return round(word_.load(std::memory_order_acquire)) == kOver; }

private:
    static constexpr std::uint64_t kOneClaim = std::uint64_t{1} << 16;

    static std::uint64_t word(std::uint64_t round, std::uint64_t claimed, std::uint64_t finished) {
        return round << 32 | claimed << 16 | finished;
    }
    static std::uint32_t round(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
    static std::uint32_t claimed(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 16 & 0xFFFF); }
    static std::uint32_t finished(std::uint64_t word) { return static_cast<std::uint32_t>(word & 0xFFFF); }

    bool wants(std::uint64_t word) const { return round(word) != kOver && finished(word) < wanted_; }

    std::uint32_t wanted_;
    alignas(64) std::atomic<std::uint64_t> word_;
};

} // namespace hogwild
