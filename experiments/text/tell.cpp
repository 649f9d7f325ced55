#include "experiments/text/tell.h"

#include "experiments/text/printable.h"

#include <cstdio>
#include <string>

namespace hogwild {

void tell_text(std::string_view text) {
    const std::string line = printable(text);
    [[maybe_unused]] const std::size_t written = std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace hogwild
