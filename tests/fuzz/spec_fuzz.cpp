// The reader of sweeps' files on arbitrary bytes: an Error, or combinations that can be counted.
#include "experiments/sweep/spec/cases.h"
#include "tests/fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz_text(bytes, size, [](std::string_view text) { check_runs(parse_spec(text, "fuzz")); });
}
