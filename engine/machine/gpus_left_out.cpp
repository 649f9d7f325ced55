// The answer of a build without CUDA.
#include "engine/machine/gpus.h"

namespace hogwild {

Gpus read_gpus() { return {{}, "this build is without CUDA"}; }

void ask_free_memory(Gpus&) {}

bool built_for_gpus() { return false; }

} // namespace hogwild
