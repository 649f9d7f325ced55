#include "engine/memory/link_memory.h"

#include "engine/error.h"
#include "tests/device.h"

#include <string>

using namespace hogwild;

TEST_CASE("no more managed memory than the card has free is taken, and both sizes are said") {
    if (no_device()) return;
    constexpr std::size_t kTooMuch = std::uint64_t{1} << 48;
    for (const MemoryKind kind : {MemoryKind::kManaged, MemoryKind::kManagedHost, MemoryKind::kManagedDevice}) {
        CHECK_THROWS_WITH_AS(make_link_memory(kind, kTooMuch),
                             doctest::Contains("do not fit into managed memory (1125899906842624 bytes are wanted"),
                             Error);
    }
    CHECK_NOTHROW(make_link_memory(MemoryKind::kManaged, 1 << 20));
}
