#include "engine/machine/profiler_range.h"

#include <nvtx3/nvToolsExt.h>

namespace hogwild {

ProfilerRange::ProfilerRange(const char* name) { nvtxRangePushA(name); }

ProfilerRange::~ProfilerRange() { nvtxRangePop(); }

} // namespace hogwild
