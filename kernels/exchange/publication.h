// Borrowed memory: vectors of all weights, of which one is the newest published one and never changes while it is held.
//
//   take     holds the newest vector: whole, and unchanged until it is released
//   claim    holds a vector that nobody else holds, to be written
//   publish  makes a claimed vector the newest, unless another has come since the one that it was made from
//   release  lets go of what was taken or claimed
//
// Being newest is a hold too, which passes from the claimer to the publication. So a vector without a hold is free to
// be written. A worker holds two at most, one that it reads and one that it writes, and one is the newest. So one of
// vectors(workers) is always free for a worker that claims while it holds none.
//
// Memory order: all changes of a vector's holds are read-modify-writes, so each comes after all before it.
//   newest   publishing releases, the second look of taking acquires: the vector's values.
//   holds    letting go releases, claiming acquires: what others read, and replaced as the newest, comes before what the claimer
//            writes. Taking acquires: where the vector was let go by whoever replaced it, the second look sees that it was replaced.
// Thread-safety: any number of workers at once. No locks: whoever's publishing fails, another's has not.
// Source: Baeckstroem, Papatriantafilou, Tsigas, "Consistent lock-free parallel stochastic gradient descent for fast and stable
// convergence", IPDPS 2021 (Leashed-SGD).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hogwild {

/// Who holds a vector; 0: it is free. Alone on its cache line.
struct alignas(64) Holds {
    std::atomic<std::uint32_t> count{0};
};

struct HeldVector {
    std::uint32_t vector = 0; // which
    float* values = nullptr;
};

class Publication {
public:
    static constexpr std::uint32_t vectors(std::uint32_t workers) { return 2 * workers + 1; }

    /// Floats from one vector to the next: whole cache lines.
    static constexpr std::size_t stride(std::uint32_t size) { return (std::size_t{size} + 15) / 16 * 16; }

    Publication() = default;

    /// Vectors of `size` weights, as many as `holds`, at `values`. Vector 0 is the newest: its values are there before others take
    /// it.
    Publication(std::atomic<std::uint32_t>& newest, std::span<Holds> holds, float* values, std::uint32_t size)
        : newest_(&newest), holds_(holds), values_(values), size_(size) {
        newest.store(0, std::memory_order_relaxed);
        for (Holds& each : holds) each.count.store(&each == holds.data() ? 1 : 0, std::memory_order_relaxed);
    }

    std::uint32_t size() const { return size_; }

    HeldVector take() const {
        for (;;) {
            const std::uint32_t vector = newest_->load(std::memory_order_relaxed);
            holds_[vector].count.fetch_add(1, std::memory_order_acquire);
            if (newest_->load(std::memory_order_acquire) == vector) return held(vector); // the newest, and held
            release(held(vector));
        }
    }

    /// `first`: where to look first, different for different workers.
    HeldVector claim(std::uint32_t first) const {
        for (std::uint32_t i = first;; ++i) {
            const auto vector = static_cast<std::uint32_t>(i % holds_.size());
            std::uint32_t free = 0;
            if (holds_[vector].count.compare_exchange_strong(free, 1, std::memory_order_acquire,
                                                             std::memory_order_relaxed))
                return held(vector);
        }
    }

    /// True: `claimed` is published, and no longer its claimer's; false: another than `from`, which the caller holds, is the newest.
    bool publish(const HeldVector& claimed, const HeldVector& from) const {
        std::uint32_t newest = from.vector;
        if (!newest_->compare_exchange_strong(newest, claimed.vector, std::memory_order_release,
                                              std::memory_order_relaxed))
            return false;
        release(from); // as the newest
        return true;
    }

    void release(const HeldVector& held) const { holds_[held.vector].count.fetch_sub(1, std::memory_order_release); }

private:
    HeldVector held(std::uint32_t vector) const { return {vector, values_ + vector * stride(size_)}; }

    std::atomic<std::uint32_t>* newest_ = nullptr;
    std::span<Holds> holds_;
    float* values_ = nullptr;
    std::uint32_t size_ = 0;
};

} // namespace hogwild
