// The answer of a build without CUDA.
#include "engine/error.h"
#include "engine/memory/link_memory.h"

namespace hogwild {

std::unique_ptr<LinkMemory> make_link_memory(MemoryKind kind, std::uint64_t) {
    throw Error(Failure::kMissing, "--memory " + name_of(kind) + " cannot be had", "this build is without CUDA",
                "build with -D HOGWILD_CUDA=ON, or use --memory host");
}

} // namespace hogwild
