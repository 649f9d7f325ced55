#include "experiments/text/printable.h"

#include <fmt/format.h>

#include <cstddef>

namespace hogwild {
namespace {

/// Bytes of the control character that the text begins with; 0: it begins with none.
std::size_t control_bytes(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x20) return first == '\n' || first == '\t' ? 0 : 1;
    if (first == 0x7F) return 1;
    // U+0080 to U+009F: some terminals take them for the start of a sequence.
    const bool second =
        text.size() > 1 && static_cast<unsigned char>(text[1]) >= 0x80 && static_cast<unsigned char>(text[1]) < 0xA0;
    return first == 0xC2 && second ? 2 : 0;
}

} // namespace

std::string printable(std::string_view text) {
    std::string printed;
    printed.reserve(text.size());
    while (!text.empty()) {
        const std::size_t control = control_bytes(text);
        for (std::size_t i = 0; i < control; ++i)
            printed += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
        if (control == 0) printed += text[0];
        text.remove_prefix(control == 0 ? 1 : control);
    }
    return printed;
}

} // namespace hogwild
