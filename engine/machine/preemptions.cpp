#include "engine/machine/preemptions.h"

#include <sys/resource.h>

namespace hogwild {

std::uint64_t preemptions() {
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return static_cast<std::uint64_t>(usage.ru_nivcsw);
}

} // namespace hogwild
