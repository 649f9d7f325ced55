#include "engine/gpu/memory/scope_of.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE(
    "increments are atomic for all who reach the buffer: CPU threads, too, but for arrays that are the GPU's alone") {
    for (const MemoryKind kind :
         {MemoryKind::kMapped, MemoryKind::kManaged, MemoryKind::kManagedHost, MemoryKind::kManagedDevice}) {
        CHECK(scope_of(kind) == Scope::kSystem);
    }
    for (const MemoryKind kind : {MemoryKind::kDevice, MemoryKind::kReplica}) CHECK(scope_of(kind) == Scope::kDevice);
}
