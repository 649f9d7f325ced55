// Owners of a CUDA stream and of a CUDA event. Only in builds with CUDA. Move only. Errors: throws Error.
#pragma once

#include "engine/gpu/cuda_error.h"

#include <utility>

namespace hogwild {

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a CUDA stream"); }

    /// One whose blocks go ahead of those of others that wait for a place.
    static Stream urgent() {
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), "creating a CUDA stream");
        return Stream(stream);
    }

    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    cudaStream_t get() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "the work of a CUDA stream"); }

private:
    explicit Stream(cudaStream_t stream) : stream_(stream) {}

    cudaStream_t stream_ = nullptr;
};

class Event {
public:
    /// `flags`: of cudaEventCreateWithFlags.
    explicit Event(unsigned flags = cudaEventDefault) {
        check(cudaEventCreateWithFlags(&event_, flags), "creating a CUDA event");
    }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() {
        if (event_ != nullptr) cudaEventDestroy(event_);
    }

    cudaEvent_t get() const { return event_; }

    void record(const Stream& stream) const { check(cudaEventRecord(event_, stream.get()), "recording a CUDA event"); }

    void wait() const { check(cudaEventSynchronize(event_), "waiting for a CUDA event"); }

    /// Seconds from `start` to this event; both must have happened.
    double seconds_since(const Event& start) const {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "reading a CUDA event");
        return milliseconds * 1e-3;
    }

private:
    cudaEvent_t event_ = nullptr;
};

/// One that keeps no time. Who waits for it sleeps, or spins: that wakes tens of microseconds sooner, and takes a core.
class Milestone : public Event {
public:
    explicit Milestone(bool sleeps = true)
        : Event(cudaEventDisableTiming | (sleeps ? cudaEventBlockingSync : cudaEventDefault)) {}
};

} // namespace hogwild
