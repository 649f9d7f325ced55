#include "engine/memory/memory_kind.h"

#include <algorithm>

namespace hogwild {

MemoryKind parse_memory(std::string_view name) {
    return static_cast<MemoryKind>(std::ranges::find(kMemories, name) - kMemories.begin());
}

std::string_view name_of(MemoryKind kind) { return kMemories[static_cast<std::size_t>(kind)]; }

} // namespace hogwild
