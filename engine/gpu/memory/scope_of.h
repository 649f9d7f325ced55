// The scope of a buffer's atomics on a GPU: who else may access it while streams step. One for each kind of memory.
#pragma once

#include "engine/memory/memory_kind.h"
#include "kernels/cuda/memory/scope.h"

namespace hogwild {

constexpr Scope scope_of(MemoryKind memory) { return is_one_buffer(memory) ? Scope::kSystem : Scope::kDevice; }

} // namespace hogwild
