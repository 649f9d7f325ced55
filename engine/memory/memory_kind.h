// Where the parameter buffer lies, and who can reach it.
//
//   host            ordinary memory in huge pages: CPU threads
//   host-fp64       likewise, parameters that are doubles, of schemes with steps on such (kernels/variance_reduction.h, column_steps.h)
//   mapped          page-locked host memory that the GPU reads and writes across the link (zero copy)
//   managed         unified memory; its pages move to whoever touches them
//   managed-host    unified memory whose pages stay on the host; the GPU reaches them across the link
//   managed-device  unified memory whose pages prefer the GPU
//   device          the GPU's own memory: streams alone
//   device-bf16     likewise, each parameter a number of 16 bits, rounded without bias (kernels/storage.h)
//   device-fp16     likewise
//   replica         ordinary memory for CPU threads and a copy in the GPU's own; a bridge exchanges increments
//
// Thread-safety: plain values.
#pragma once

#include "kernels/storage.h"

#include <array>
#include <string>
#include <string_view>

namespace hogwild {

enum class MemoryKind {
    kHost,
    kHostFp64,
    kMapped,
    kManaged,
    kManagedHost,
    kManagedDevice,
    kDevice,
    kDeviceBf16,
    kDeviceFp16,
    kReplica
};

inline constexpr std::array<std::string_view, 10> kMemories = {
    "host",           "host-fp64", "mapped",      "managed",     "managed-host",
    "managed-device", "device",    "device-bf16", "device-fp16", "replica"};

/// Precondition: `name` is one of kMemories.
MemoryKind parse_memory(std::string_view name);
std::string_view name_of(MemoryKind kind);

constexpr Storage storage_of(MemoryKind kind) {
    return kind == MemoryKind::kDeviceBf16   ? Storage::kBf16
           : kind == MemoryKind::kDeviceFp16 ? Storage::kFp16
                                             : Storage::kFloat32;
}
/// The GPU's own memory, and nothing else.
constexpr bool is_device(MemoryKind kind) {
    return kind == MemoryKind::kDevice || storage_of(kind) != Storage::kFloat32;
}
/// CPU threads can step on it.
constexpr bool host_reaches(MemoryKind kind) { return !is_device(kind); }
/// Ordinary memory, which only CPU threads reach.
constexpr bool is_host(MemoryKind kind) { return kind == MemoryKind::kHost || kind == MemoryKind::kHostFp64; }
/// GPU streams can step on it, or on their copy of it.
constexpr bool device_reaches(MemoryKind kind) { return !is_host(kind); }
/// Unified memory.
constexpr bool is_managed(MemoryKind kind) {
    return kind == MemoryKind::kManaged || kind == MemoryKind::kManagedHost || kind == MemoryKind::kManagedDevice;
}
/// One array that both sides can reach.
constexpr bool is_one_buffer(MemoryKind kind) { return host_reaches(kind) && kind != MemoryKind::kReplica; }

} // namespace hogwild
