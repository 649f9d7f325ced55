// The answer of a build without CUDA.
#include "engine/machine/profiler_range.h"

namespace hogwild {

ProfilerRange::ProfilerRange(const char*) {}

ProfilerRange::~ProfilerRange() = default;

} // namespace hogwild
