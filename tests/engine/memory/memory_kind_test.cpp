// Laws of what a buffer is made of (engine/memory/memory_kind.h).
#include "engine/memory/memory_kind.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

std::vector<MemoryKind> all_kinds() {
    std::vector<MemoryKind> kinds;
    for (const std::string_view place : kPlaceNames) {
        for (const std::string_view numbers : kNumbersNames) {
            for (const std::string_view rounding : kRoundingNames)
                kinds.push_back(memory_kind(place, numbers, rounding));
        }
    }
    return kinds;
}

} // namespace

TEST_CASE("every combination has a name of its own, which is read as that combination") {
    std::set<std::string> names;
    for (const MemoryKind& kind : all_kinds()) {
        CHECK(names.insert(name_of(kind)).second);
        CHECK(parse_memory(name_of(kind)) == kind);
        CHECK(memory_kind(place_name(kind), numbers_name(kind), rounding_name(kind)) == kind);
    }
    CHECK(names.size() == 7 * 5 * 3);
    CHECK_FALSE(parse_memory("host-int4"));
    CHECK_FALSE(parse_memory("host-"));
    CHECK_FALSE(parse_memory(""));
}

TEST_CASE("buffers there are of nineteen kinds, by the names that plans are stored with") {
    std::set<std::string> names;
    for (const MemoryKind& kind : all_kinds()) {
        if (why_no_memory(kind).empty()) names.insert(name_of(kind));
    }
    CHECK(names == std::set<std::string>{"host", "host-fp64", "host-bf16", "host-bf16-shared", "host-bf16-nearest",
                                         "host-fp16", "host-fp16-shared", "host-fp16-nearest", "host-int8",
                                         "host-int8-shared", "host-int8-nearest", "mapped", "managed", "managed-host",
                                         "managed-device", "device", "device-bf16", "device-fp16", "replica"});
}

TEST_CASE("what no buffer is made of has a reason and something to try") {
    const auto why = [](const char* place, const char* numbers, const char* rounding) {
        return why_no_memory(memory_kind(place, numbers, rounding));
    };
    CHECK(why("mapped", "bf16", "unbiased") ==
          "mapped memory holds floats, not bf16; use --numbers float32, or --memory host or device");
    CHECK(why("replica", "fp64", "unbiased").starts_with("replica memory holds floats, not fp64; use "));
    CHECK(why("device", "int8", "unbiased") ==
          "a GPU steps on float32, bf16 and fp16, not on int8; use one of these, or --memory host");
    CHECK(why("device", "fp64", "unbiased").starts_with("a GPU steps on float32, bf16 and fp16, not on fp64; use "));
    CHECK(why("device", "bf16", "nearest") ==
          "a GPU rounds without bias, not nearest; use --rounding unbiased, or --memory host");
    CHECK(why("host", "fp64", "shared") ==
          "fp64 is not rounded to; use --rounding unbiased, or --numbers bf16, fp16 or int8");
}

TEST_CASE("a kind's number is what kernels store, and short numbers of the host are low precision") {
    for (const MemoryKind& kind : all_kinds()) {
        CHECK(is_short(kind) == (storage_of(kind) != Storage::kFloat32));
        CHECK(is_low_precision(kind) == (is_host(kind) && is_short(kind)));
        CHECK((!is_low_precision(kind) || (host_reaches(kind) && !device_reaches(kind))));
    }
    CHECK(storage_of(parse_memory("device-bf16").value()) == Storage::kBf16);
    CHECK(storage_of(parse_memory("host-fp64").value()) == Storage::kFloat32);
    CHECK(is_doubles(parse_memory("host-fp64").value()));
}
