// A range on a profiler's time line (NVTX), by which Nsight Systems tells a step's parts and a GPU's launches apart.
//
// Thread-safety: a range is its thread's own; ranges nest within a thread. Without a profiler it costs some nanoseconds, in a build
// without CUDA nothing.
#pragma once

namespace hogwild {

/// From its construction to its destruction. `name` is a literal.
class ProfilerRange {
public:
    explicit ProfilerRange(const char* name);
    ProfilerRange(const ProfilerRange&) = delete;
    ProfilerRange& operator=(const ProfilerRange&) = delete;
    ~ProfilerRange();
};

} // namespace hogwild
