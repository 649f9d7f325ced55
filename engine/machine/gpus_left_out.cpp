// The answer of a build without CUDA.
#include "engine/machine/gpus.h"

namespace hogwild {

Gpus read_gpus() { return {{}, "this build has no GPU workers; install the CUDA toolkit and build again"}; }

} // namespace hogwild
