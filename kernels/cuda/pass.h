// Borrowed memory: one launch of Hogwild! steps on a GPU, and what its warps share. Readable by the host compiler.
//
// Positions [first, first + count) of an epoch are cut into pieces. A warp claims a piece from `claimed`, and its lanes
// look up one sample each. The warp then steps through these samples one after another, or some at a time. Steps on
// networks are a team's (kernels/cuda/network/block_team.cuh), whose piece is a batch.
#pragma once

#include "kernels/annotate.h"
#include "kernels/cuda/network/device_images.h"
#include "kernels/cuda/network/team_memory.h"
#include "kernels/numbers/histogram.h"
#include "kernels/steps/pace.h"
#include "kernels/views/any_view.h"
#include "kernels/views/sample_order.h"

#include <cstdint>
#include <type_traits>

namespace hogwild {

/// How stale a layer of a network was when steps wrote it.
struct LayerCounts {
    unsigned long long writes; // by all steps
    unsigned long long sum, most;
    unsigned long long buckets[Histogram::kBuckets];
};

/// What a launch lends to its probe; all pointers to device memory, or null where the probe has no use for them.
struct DeviceTelemetry {
    unsigned long long* clock = nullptr;   // steps that wrote, of all streams
    unsigned long long* buckets = nullptr; // of staleness: Histogram::kBuckets counts
    unsigned long long* sum = nullptr;     // of staleness
    unsigned long long* most = nullptr;    // largest staleness
    unsigned long long* issued = nullptr;  // increments sent to the shadow
    float* shadow = nullptr;               // counts increments, same shape as the weights
    LayerCounts* layers = nullptr;         // of a network's
};

/// How blocks exchange their copies of the hottest coordinates (kernels/cuda/rows/hot_copies.cuh).
struct HotExchange {
    static constexpr std::uint32_t kCold = ~0u;

    std::uint32_t hot = 0; // coordinates that are copied; 0: none
    float rule = 1;        // 1: increments are summed over blocks; 1 / blocks: averaged
    // In sparse rows they are k << shift for k < hot (engine/data/sparse/placement.h).
    std::uint32_t shift = 0;
    // In ratings they are those of hot groups (engine/data/ratings/hot_groups.h), in device memory.
    const std::uint32_t* slots = nullptr;       // of each group its number among the hot ones, or kCold
    const std::uint32_t* coordinates = nullptr; // of each copy
};

/// A launch's positions [0, count) cut into pieces. They are of 32 at first, of 8 for the last 32 of each warp, and of
/// 4 for the last 8. So no warp is left alone with a long one. A warp that steps on more than four samples at a time
/// gets as many times more. A small piece is one such step, a whole one eight.
class Pieces {
public:
    static constexpr std::uint32_t kWhole = 32;
    static constexpr std::uint32_t kHalfway = 8;
    static constexpr std::uint32_t kSmall = 4;

    struct Piece {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    Pieces() = default;
    /// `abreast`: samples that a warp steps on at a time, up to 32.
    Pieces(std::uint32_t count, std::uint32_t warps, std::uint32_t abreast = 1)
        : count_(count), times_((abreast + kSmall - 1) / kSmall) {
        whole_ = before_last(count, warps, kWhole * times_);
        halfway_ = before_last(count - whole_ * kWhole * times_, warps, kHalfway * times_);
    }

    /// Pieces of `size` each, but for the last.
    static Pieces even(std::uint32_t count, std::uint32_t size) {
        Pieces pieces;
        pieces.count_ = count;
        pieces.even_ = size;
        return pieces;
    }

    /// Piece number `index`; of no positions when there is none of that number.
    HOGWILD_HOST_DEVICE Piece operator[](std::uint32_t index) const {
        if (even_ > 0) {
            const std::uint64_t begin = std::uint64_t{index} * even_;
            if (begin >= count_) return {};
            const auto rest = count_ - static_cast<std::uint32_t>(begin);
            return {static_cast<std::uint32_t>(begin), rest < even_ ? rest : even_};
        }
        const std::uint32_t whole = kWhole * times_, halfway = kHalfway * times_, small = kSmall * times_;
        if (index < whole_) return {index * whole, whole};
        const std::uint32_t after_whole = index - whole_;
        if (after_whole < halfway_) return {whole_ * whole + after_whole * halfway, halfway};
        const std::uint64_t first = before_small() + std::uint64_t{after_whole - halfway_} * small;
        if (first >= count_) return {};
        const auto left = count_ - static_cast<std::uint32_t>(first);
        return {static_cast<std::uint32_t>(first), left < small ? left : small};
    }

    /// How many there are.
    std::uint32_t size() const {
        if (even_ > 0) return static_cast<std::uint32_t>((std::uint64_t{count_} + even_ - 1) / even_);
        const std::uint32_t small = kSmall * times_;
        return whole_ + halfway_ + static_cast<std::uint32_t>((count_ - before_small() + small - 1) / small);
    }

private:
    /// Pieces of `size` that fit before the last `size` of each warp.
    static std::uint32_t before_last(std::uint32_t count, std::uint32_t warps, std::uint32_t size) {
        const std::uint64_t tail = std::uint64_t{warps} * size;
        return tail < count ? static_cast<std::uint32_t>((count - tail) / size) : 0;
    }

    HOGWILD_HOST_DEVICE std::uint64_t before_small() const {
        return (std::uint64_t{whole_} * kWhole + std::uint64_t{halfway_} * kHalfway) * times_;
    }

    std::uint32_t count_ = 0;
    std::uint32_t even_ = 0; // not 0: the size of all
    std::uint32_t times_ = 1;
    std::uint32_t whole_ = 0;
    std::uint32_t halfway_ = 0;
};

/// How the device and CPU threads tell each other how many samples they have consumed: every few microseconds, where samples
/// are consumed that fast.
struct HostCounts {
    static constexpr unsigned kStride = 8; // words from one thread's count to the next: a line of its own each

    const unsigned long long* threads =
        nullptr;                         // in host memory: by each thread, or delivered to a replica; null: none step
    unsigned count = 0;                  // of threads
    unsigned long long* heard = nullptr; // on the device: their sum
    unsigned long long* said = nullptr;  // in host memory: what this device consumed; null: nobody asks
    unsigned long long* told = nullptr;  // on the device: when they last did
};

/// Which step size and L2 scale a step takes: those of the moment, which is how many samples all workers have consumed.
/// A sample's own position in the run would not do. Streams and warps step on positions far apart at the same moment.
/// Each would take the weights for larger or smaller than they are.
struct RunClock {
    const Pace* paces = nullptr;            // of the cells of 256 positions of every epoch so far
    std::uint32_t rows = 0;                 // of an epoch
    std::uint32_t cells = 0;                // of an epoch
    std::uint64_t others = 0;               // samples of CPU threads that the weights held at the launch
    std::uint64_t last = 0;                 // no sample after this one of the run gives a pace
    std::uint32_t warps = 1;                // that step on this device at the same time
    unsigned long long* consumed = nullptr; // samples on this device, of all launches
    HostCounts host;
};

/// A launch but for its samples.
struct PassFrame {
    SampleOrder order;
    std::uint32_t epoch = 0;
    std::uint32_t first = 0; // position
    Pieces pieces;           // of the positions from `first` on
    RunClock clock;
    void* weights = nullptr;          // v, of floats or halves (kernels/numbers/storage.h); the weights are scale x v
    std::uint32_t* claimed = nullptr; // pieces; every warp claims one more than there are
    std::uint32_t claimed_before = 0; // by launches before
    HotExchange exchange;
    Teams teams; // of patterns whose steps are a team's
    DeviceTelemetry telemetry;
};

/// As the host gives it.
struct DevicePass : PassFrame {
    AnyView data;       // in memory that the device reads
    bool dense = false; // every row holds every column: indices are not read, unless coordinates are copied
};

/// As a kernel takes it: over such samples, or over what a kernel has of them (DeviceImages).
template <class Samples>
struct PassOver : PassFrame {
    using View = std::conditional_t<std::is_same_v<Samples, DeviceImages>, ImagesView, Samples>;

    Samples data;

    /// Precondition: the pass is over such samples.
    explicit PassOver(const DevicePass& pass) : PassFrame(pass), data(pass.data.as<View>()) {}
};

} // namespace hogwild
