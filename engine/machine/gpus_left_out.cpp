// The answer of a build without CUDA.
#include "engine/machine/gpus.h"

namespace hogwild {

Gpus read_gpus() {
    Gpus gpus;
    gpus.why_none = "this build is without CUDA";
    return gpus;
}

void ask_free_memory(Gpus&) {}

bool built_for_gpus() { return false; }

} // namespace hogwild
