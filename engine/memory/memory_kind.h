// Where the parameter buffer lies, and who can reach it.
//
//   host            ordinary memory in huge pages: CPU threads
//   host-fp64       likewise, parameters that are doubles, of schemes with steps on such (kernels/steps/variance_reduction.h, column_steps.h)
//   host-bf16       likewise, each parameter a number of 16 bits, rounded without bias (kernels/numbers/storage.h); linear problems
//   host-fp16       likewise
//   host-int8       likewise, of 8 bits
//   host-bf16-shared, host-bf16-nearest, ...   likewise, rounded in other ways (kernels/numbers/rounding.h)
//   mapped          page-locked host memory that the GPU reads and writes across the link (zero copy)
//   managed         unified memory; its pages move to whoever touches them
//   managed-host    unified memory whose pages stay on the host; the GPU reaches them across the link
//   managed-device  unified memory whose pages prefer the GPU
//   device          the GPU's own memory: streams alone
//   device-bf16     likewise, each parameter a number of 16 bits, rounded without bias (kernels/numbers/storage.h)
//   device-fp16     likewise
//   replica         ordinary memory for CPU threads and a copy in the GPU's own; a bridge exchanges increments
//
// Thread-safety: plain values.
#pragma once

#include "kernels/numbers/rounding.h"
#include "kernels/numbers/storage.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace hogwild {

enum class MemoryKind {
    kHost,
    kHostFp64,
    kHostBf16, // of each such number three, in the order of Rounding
    kHostBf16Shared,
    kHostBf16Nearest,
    kHostFp16,
    kHostFp16Shared,
    kHostFp16Nearest,
    kHostInt8,
    kHostInt8Shared,
    kHostInt8Nearest,
    kMapped,
    kManaged,
    kManagedHost,
    kManagedDevice,
    kDevice,
    kDeviceBf16,
    kDeviceFp16,
    kReplica
};

inline constexpr auto kMemories = std::to_array<std::string_view>(
    {"host", "host-fp64", "host-bf16", "host-bf16-shared", "host-bf16-nearest", "host-fp16", "host-fp16-shared",
     "host-fp16-nearest", "host-int8", "host-int8-shared", "host-int8-nearest", "mapped", "managed", "managed-host",
     "managed-device", "device", "device-bf16", "device-fp16", "replica"});

/// Precondition: `name` is one of kMemories.
MemoryKind parse_memory(std::string_view name);
std::string_view name_of(MemoryKind kind);

/// Short numbers that CPU threads step on (kernels/patterns/low_precision_steps.h).
constexpr bool is_low_precision(MemoryKind kind) {
    return kind >= MemoryKind::kHostBf16 && kind <= MemoryKind::kHostInt8Nearest;
}

constexpr Storage storage_of(MemoryKind kind) {
    if (is_low_precision(kind)) {
        const auto number =
            (static_cast<std::size_t>(kind) - static_cast<std::size_t>(MemoryKind::kHostBf16)) / kRoundings;
        return static_cast<Storage>(static_cast<std::size_t>(Storage::kBf16) + number);
    }
    return kind == MemoryKind::kDeviceBf16   ? Storage::kBf16
           : kind == MemoryKind::kDeviceFp16 ? Storage::kFp16
                                             : Storage::kFloat32;
}
/// How steps on them round. Precondition: is_low_precision.
constexpr Rounding rounding_of(MemoryKind kind) {
    const auto number = static_cast<std::size_t>(kind) - static_cast<std::size_t>(MemoryKind::kHostBf16);
    return static_cast<Rounding>(number % kRoundings);
}
/// The GPU's own memory, and nothing else.
constexpr bool is_device(MemoryKind kind) {
    return kind == MemoryKind::kDevice || kind == MemoryKind::kDeviceBf16 || kind == MemoryKind::kDeviceFp16;
}
/// CPU threads can step on it.
constexpr bool host_reaches(MemoryKind kind) { return !is_device(kind); }
/// Ordinary memory, which only CPU threads reach.
constexpr bool is_host(MemoryKind kind) {
    return kind == MemoryKind::kHost || kind == MemoryKind::kHostFp64 || is_low_precision(kind);
}
/// GPU streams can step on it, or on their copy of it.
constexpr bool device_reaches(MemoryKind kind) { return !is_host(kind); }
/// Unified memory.
constexpr bool is_managed(MemoryKind kind) {
    return kind == MemoryKind::kManaged || kind == MemoryKind::kManagedHost || kind == MemoryKind::kManagedDevice;
}
/// One array that both sides can reach.
constexpr bool is_one_buffer(MemoryKind kind) { return host_reaches(kind) && kind != MemoryKind::kReplica; }

} // namespace hogwild
