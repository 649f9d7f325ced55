// The reader of networks' texts on arbitrary texts without control characters, as options and models have them. It says
// an Error, or returns layers whose text on one line is read as well.
#include "engine/network/network.h"
#include "experiments/text/printable.h"
#include "tests/fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz_text(bytes, size, [](std::string_view text) {
        if (printable(text) != text) return;
        check_network(text);
        check_network(one_line(text));
    });
}
