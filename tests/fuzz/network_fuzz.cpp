// The reader of networks' texts on arbitrary bytes: an Error, or layers whose text on one line is read as well.
#include "engine/network/network.h"
#include "tests/fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz_text(bytes, size, [](std::string_view text) {
        check_network(text);
        check_network(one_line(text));
    });
}
