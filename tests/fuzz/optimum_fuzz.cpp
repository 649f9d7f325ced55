// The reader of kept optima on arbitrary lines with a right checksum: nothing, or an optimum that is written as it was read.
#include "engine/machine/content_hash.h"
#include "engine/optimum/optimum_cache.h"
#include "tests/fuzz/laws.h"

#include <fmt/format.h>

#include <cmath>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz_text(bytes, size, [](std::string_view body) {
        const OptimumKey key{1, "hinge", 0.5};
        const std::string text = fmt::format("{}checksum {:016x}\n", body, content_hash(body));
        const auto optimum = from_text(key, text);
        if (!optimum) return;
        demand(std::isfinite(optimum->lower) && optimum->lower <= optimum->value, "a lower bound");
        const auto again = from_text(key, to_text(key, *optimum));
        demand(again && to_text(key, *again) == to_text(key, *optimum), "written and read again");
    });
}
