// What the parameter buffer is made of: where it lies and who can reach it, what its numbers are, how steps round to them.
//
//   place           host            ordinary memory in huge pages: CPU threads
//                   mapped          page-locked host memory that the GPU reads and writes across the link (zero copy)
//                   managed         unified memory; its pages move to whoever touches them
//                   managed-host    unified memory whose pages stay on the host; the GPU reaches them across the link
//                   managed-device  unified memory whose pages prefer the GPU
//                   device          the GPU's own memory: streams alone
//                   replica         ordinary memory for CPU threads and a copy in the GPU's own; a bridge exchanges increments
//   numbers         float32         everywhere
//                   fp64            on the host: schemes with steps on doubles (kernels/steps/variance_reduction.h, column_steps.h)
//                   bf16, fp16      on the host and the device: 16 bits (kernels/numbers/storage.h)
//                   int8            on the host: 8 bits
//   rounding        unbiased, shared, nearest   of bf16, fp16 and int8 (kernels/numbers/rounding.h); a device's is unbiased
//
// A kind's name joins what is not usual: "host", "host-int8", "host-int8-nearest".
// Thread-safety: plain values.
#pragma once

#include "kernels/numbers/rounding.h"
#include "kernels/numbers/storage.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace hogwild {

/// By default, and as its constants are: float32.
struct MemoryKind {
    enum class Place { kHost, kMapped, kManaged, kManagedHost, kManagedDevice, kDevice, kReplica };
    enum class Numbers { kFloat32, kFp64, kBf16, kFp16, kInt8 };

    Place place = Place::kHost;
    Numbers numbers = Numbers::kFloat32;
    Rounding rounding = Rounding::kUnbiased;

    static const MemoryKind kHost, kMapped, kManaged, kManagedHost, kManagedDevice, kDevice, kReplica;

    friend bool operator==(const MemoryKind&, const MemoryKind&) = default;
};

inline constexpr MemoryKind MemoryKind::kHost{Place::kHost};
inline constexpr MemoryKind MemoryKind::kMapped{Place::kMapped};
inline constexpr MemoryKind MemoryKind::kManaged{Place::kManaged};
inline constexpr MemoryKind MemoryKind::kManagedHost{Place::kManagedHost};
inline constexpr MemoryKind MemoryKind::kManagedDevice{Place::kManagedDevice};
inline constexpr MemoryKind MemoryKind::kDevice{Place::kDevice};
inline constexpr MemoryKind MemoryKind::kReplica{Place::kReplica};

/// The names of each part, in the order of its values.
inline constexpr auto kPlaceNames = std::to_array<std::string_view>(
    {"host", "mapped", "managed", "managed-host", "managed-device", "device", "replica"});
inline constexpr auto kNumbersNames = std::to_array<std::string_view>({"float32", "fp64", "bf16", "fp16", "int8"});
inline constexpr auto kRoundingNames = std::to_array<std::string_view>({"unbiased", "shared", "nearest"});
static_assert(kRoundingNames.size() == kRoundings);

/// The kind of three such names; unknown ones stand for the first.
MemoryKind memory_kind(std::string_view place, std::string_view numbers, std::string_view rounding);

/// Its parts' names in one: "host-int8-nearest".
std::string name_of(const MemoryKind& kind);

/// The kind of that name; nothing where none has it.
std::optional<MemoryKind> parse_memory(std::string_view name);

std::string_view place_name(const MemoryKind& kind);
std::string_view numbers_name(const MemoryKind& kind);
std::string_view rounding_name(const MemoryKind& kind);

/// Numbers of 16 or 8 bits.
constexpr bool is_short(const MemoryKind& kind) { return kind.numbers >= MemoryKind::Numbers::kBf16; }
/// Ordinary memory, which only CPU threads reach.
constexpr bool is_host(const MemoryKind& kind) { return kind.place == MemoryKind::Place::kHost; }
/// The GPU's own memory, and nothing else.
constexpr bool is_device(const MemoryKind& kind) { return kind.place == MemoryKind::Place::kDevice; }
/// An array on either side.
constexpr bool is_replica(const MemoryKind& kind) { return kind.place == MemoryKind::Place::kReplica; }
/// Unified memory.
constexpr bool is_managed(const MemoryKind& kind) {
    return kind.place == MemoryKind::Place::kManaged || kind.place == MemoryKind::Place::kManagedHost ||
           kind.place == MemoryKind::Place::kManagedDevice;
}
/// A GPU's increments need not cross the link.
constexpr bool is_near_device(const MemoryKind& kind) {
    return is_device(kind) || is_replica(kind) || kind.place == MemoryKind::Place::kManagedDevice;
}
/// CPU threads can step on it.
constexpr bool host_reaches(const MemoryKind& kind) { return !is_device(kind); }
/// GPU streams can step on it, or on their copy of it.
constexpr bool device_reaches(const MemoryKind& kind) { return !is_host(kind); }
/// One array that both sides can reach.
constexpr bool is_one_buffer(const MemoryKind& kind) { return host_reaches(kind) && !is_replica(kind); }

constexpr bool is_float32(const MemoryKind& kind) { return kind.numbers == MemoryKind::Numbers::kFloat32; }
/// Doubles that CPU threads step on.
constexpr bool is_doubles(const MemoryKind& kind) {
    return is_host(kind) && kind.numbers == MemoryKind::Numbers::kFp64;
}
/// Short numbers that CPU threads step on (kernels/patterns/low_precision_steps.h).
constexpr bool is_low_precision(const MemoryKind& kind) { return is_host(kind) && is_short(kind); }

/// What a coordinate is to kernels of floats and short numbers; doubles lie beside floats.
constexpr Storage storage_of(const MemoryKind& kind) {
    switch (kind.numbers) {
    case MemoryKind::Numbers::kBf16: return Storage::kBf16;
    case MemoryKind::Numbers::kFp16: return Storage::kFp16;
    case MemoryKind::Numbers::kInt8: return Storage::kInt8;
    default: return Storage::kFloat32;
    }
}

/// What no buffer is made of has a reason and what to try; an empty string: there is such a buffer.
std::string why_no_memory(const MemoryKind& kind);

} // namespace hogwild
