// Owners of memory that a GPU reads: arrays in device memory, and page-locked arrays on the host. Only in builds with CUDA.
//
// Move only; freed by the destructor. Contents are not initialised. Errors: throws Error when memory is refused.
// Thread-safety: an owner belongs to one thread at a time; the memory to whoever its holder lends it.
#pragma once

#include "engine/gpu/cuda_error.h"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace hogwild {

struct DeviceAllocator {
    static cudaError_t allocate(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
    static void release(void* memory) { cudaFree(memory); }
    static constexpr const char* kWhere = "of device memory";
};

struct PinnedAllocator {
    static cudaError_t allocate(void** memory, std::size_t bytes) {
        return cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
    }
    static void release(void* memory) { cudaFreeHost(memory); }
    static constexpr const char* kWhere = "of page-locked memory";
};

template <class T, class Allocator>
class CudaArray {
public:
    CudaArray() = default;
    explicit CudaArray(std::size_t size) : size_(size) {
        if (size == 0) return;
        void* memory = nullptr;
        check(Allocator::allocate(&memory, size * sizeof(T)),
              fmt::format("an allocation of {} bytes {}", size * sizeof(T), Allocator::kWhere));
        data_ = static_cast<T*>(memory);
    }
    CudaArray(CudaArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    CudaArray& operator=(CudaArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    CudaArray(const CudaArray&) = delete;
    CudaArray& operator=(const CudaArray&) = delete;
    ~CudaArray() {
        if (data_ != nullptr) Allocator::release(data_);
    }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

template <class T>
using DeviceArray = CudaArray<T, DeviceAllocator>;
template <class T>
using PinnedArray = CudaArray<T, PinnedAllocator>;

/// All bytes zero, behind what the stream was given before.
template <class T>
void clear(const DeviceArray<T>& array, cudaStream_t stream = nullptr) {
    check(cudaMemsetAsync(array.data(), 0, array.bytes(), stream), "clearing device memory");
}

template <class T>
DeviceArray<T> zeros(std::size_t size) {
    DeviceArray<T> array(size);
    clear(array);
    check(cudaStreamSynchronize(nullptr), "clearing device memory");
    return array;
}

} // namespace hogwild
