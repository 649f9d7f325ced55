#include "engine/memory/link_memory.h"

#include "engine/gpu/cuda_error.h"
#include "engine/gpu/memory/device_memory.h"
#include "kernels/cuda/memory/snapshot.h"
#include "kernels/cuda/memory/vector.h"

#include <algorithm>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::size_t kKeptFree = std::size_t{1} << 30; // bytes of the card that managed memory leaves alone

void leave_room(std::size_t bytes) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the GPU's free memory");
    if (bytes + kKeptFree <= free) return;
    throw Error("the parameters do not fit into managed memory",
                fmt::format("{} bytes are wanted, the GPU has {} free and keeps {}", bytes, free, kKeptFree),
                "use --memory mapped, or a GPU with more memory");
}

void advise(void* memory, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation where) {
    check(cudaMemAdvise(memory, bytes, advice, where), "advice on managed memory");
}

class Link : public LinkMemory {
public:
    Link(MemoryKind kind, std::uint64_t count)
        : kind_(kind), count_(count), bytes_(count * bytes_of(storage_of(kind))) {
        allocate();
        try {
            check(cudaMemset(device_, 0, std::max<std::size_t>(bytes_, 1)), "clearing the parameter buffer");
            check(cudaDeviceSynchronize(), "clearing the parameter buffer");
        } catch (...) {
            release();
            throw;
        }
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    ~Link() override { release(); }

    void* host() const override { return host_; }
    void* device() const override { return device_; }
    void download(float* to) const override {
        if (storage() == Storage::kFloat32) {
            check(cudaMemcpy(to, device_, bytes_, cudaMemcpyDefault), "a copy of the parameters");
            return;
        }
        const DeviceArray<float> floats(count_);
        check(copy_snapshot({device_, storage()}, floats.data(), parameters(), {}, nullptr, nullptr),
              "widening the parameters");
        check(cudaMemcpy(to, floats.data(), floats.bytes(), cudaMemcpyDeviceToHost), "a copy of the parameters");
    }
    void upload(const float* from) const override {
        if (storage() == Storage::kFloat32) {
            check(cudaMemcpy(device_, from, bytes_, cudaMemcpyDefault), "sending the parameters");
        } else {
            const DeviceArray<float> floats(count_);
            check(cudaMemcpy(floats.data(), from, floats.bytes(), cudaMemcpyHostToDevice), "sending the parameters");
            check(narrow_on_device(floats.data(), {device_, storage()}, parameters(), nullptr),
                  "narrowing the parameters");
        }
        check(cudaDeviceSynchronize(),
              "sending the parameters"); // from pageable memory a copy may return before it is there
    }

private:
    Storage storage() const { return storage_of(kind_); }
    std::uint32_t parameters() const { return static_cast<std::uint32_t>(count_); }

    void allocate() {
        const std::size_t bytes = std::max<std::size_t>(bytes_, 1);
        const std::string what = fmt::format("an allocation of {} bytes of {} memory", bytes, name_of(kind_));
        if (is_device(kind_)) {
            check(cudaMalloc(&device_, bytes), what);
        } else if (kind_.place == MemoryKind::Place::kMapped) {
            check(cudaHostAlloc(&host_, bytes, cudaHostAllocMapped | cudaHostAllocPortable), what);
            check(cudaHostGetDevicePointer(&device_, host_, 0), "the GPU's address of mapped memory");
        } else {
            leave_room(bytes);
            check(cudaMallocManaged(&device_, bytes, cudaMemAttachGlobal), what);
            host_ = device_;
            place(bytes);
        }
    }

    void place(std::size_t bytes) {
        int gpu = 0;
        check(cudaGetDevice(&gpu), "asking for the current GPU");
        const cudaMemLocation on_host{cudaMemLocationTypeHost, 0}, on_device{cudaMemLocationTypeDevice, gpu};
        if (kind_.place == MemoryKind::Place::kManagedHost) {
            advise(device_, bytes, cudaMemAdviseSetPreferredLocation, on_host);
            advise(device_, bytes, cudaMemAdviseSetAccessedBy, on_device);
        } else if (kind_.place == MemoryKind::Place::kManagedDevice) {
            advise(device_, bytes, cudaMemAdviseSetPreferredLocation, on_device);
            advise(device_, bytes, cudaMemAdviseSetAccessedBy, on_host);
        }
    }

    void release() {
        if (kind_.place == MemoryKind::Place::kMapped) {
            cudaFreeHost(host_);
        } else {
            cudaFree(device_);
        }
    }

    MemoryKind kind_;
    std::uint64_t count_;
    std::size_t bytes_;
    void* host_ = nullptr;
    void* device_ = nullptr;
};

} // namespace

std::unique_ptr<LinkMemory> make_link_memory(MemoryKind kind, std::uint64_t parameters) {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        throw Error(Failure::kMissing, "--memory " + name_of(kind) + " cannot be had",
                    cudaGetErrorString(code == cudaSuccess ? cudaErrorNoDevice : code),
                    "run on a machine with a GPU, or use --memory host");
    }
    return std::make_unique<Link>(kind, parameters);
}

} // namespace hogwild
