// The answer of a build with CUDA.
#include "engine/machine/gpus.h"

#include <fstream>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

namespace hogwild {
namespace {

bool attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess && value != 0;
}

Gpu read_gpu(int device) {
    cudaDeviceProp properties{};
    Gpu gpu;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return gpu;
    gpu.name = properties.name;
    gpu.compute_major = static_cast<unsigned>(properties.major);
    gpu.compute_minor = static_cast<unsigned>(properties.minor);
    gpu.multiprocessors = static_cast<unsigned>(properties.multiProcessorCount);
    int kilohertz = 0; // no property since CUDA 13
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device) == cudaSuccess)
        gpu.most_hertz = 1000 * static_cast<std::uint64_t>(kilohertz);
    gpu.memory_bytes = properties.totalGlobalMem;
    gpu.cache_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
    gpu.shared_bytes = properties.sharedMemPerBlockOptin;
    gpu.concurrent_managed_access = attribute(cudaDevAttrConcurrentManagedAccess, device);
    gpu.host_native_atomics = attribute(cudaDevAttrHostNativeAtomicSupported, device);
    gpu.pageable_memory_access = attribute(cudaDevAttrPageableMemoryAccess, device);
    gpu.direct_managed_access_from_host = attribute(cudaDevAttrDirectManagedMemAccessFromHost, device);
    return gpu;
}

Gpus without(std::string why) {
    Gpus gpus;
    gpus.why_none = std::move(why);
    return gpus;
}

std::string version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

/// The version of the kernel module, as in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  ...".
std::string driver_version() {
    std::ifstream file("/proc/driver/nvidia/version");
    for (std::string word; file >> word;) {
        const bool digits = word.find_first_not_of("0123456789.") == std::string::npos;
        if (digits && word.find('.') != std::string::npos) return word;
    }
    return {};
}

} // namespace

Gpus read_gpus() {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        int driver = 0;
        if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) return without("no driver is installed");
        return without(cudaGetErrorString(code == cudaSuccess ? cudaErrorNoDevice : code));
    }
    Gpus gpus;
    for (int device = 0; device < count; ++device) gpus.list.push_back(read_gpu(device));
    int driver = 0, runtime = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess) gpus.driver_cuda = version(driver);
    if (cudaRuntimeGetVersion(&runtime) == cudaSuccess) gpus.runtime_cuda = version(runtime);
    gpus.driver = driver_version();
    return gpus;
}

void ask_free_memory(Gpus& gpus) {
    for (std::size_t device = 0; device < gpus.list.size(); ++device) {
        std::size_t free = 0, total = 0;
        if (cudaSetDevice(static_cast<int>(device)) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) {
            gpus.list[device].free_bytes = free;
        }
    }
    cudaSetDevice(0);
}

bool built_for_gpus() { return true; }

} // namespace hogwild
