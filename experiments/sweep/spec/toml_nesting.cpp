#include "experiments/sweep/spec/toml_nesting.h"

#include <algorithm>

namespace hogwild {
namespace {

/// Bytes of the string that the text begins with, with its quotes; to the line's or the text's end where nothing closes it.
std::size_t string_bytes(std::string_view text) {
    const char quote = text[0];
    const bool several_lines = text.size() > 2 && text[1] == quote && text[2] == quote;
    const std::size_t quotes = several_lines ? 3 : 1;
    const std::string_view close = text.substr(0, quotes);
    for (std::size_t i = quotes; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (!several_lines && text[i] == '\n')
            return i;
        else if (text.substr(i).starts_with(close))
            return i + quotes;
    }
    return text.size();
}

class Nesting {
public:
    /// Takes the next character outside strings and comments. False: too deep.
    bool take(char c) {
        constexpr std::string_view kBetweenKeys = "=,[]{}\n";
        if (c == '[' || c == '{') ++open_;
        if ((c == ']' || c == '}') && open_ > 0) --open_;
        if (c == '.') ++dots_;
        if (kBetweenKeys.find(c) != std::string_view::npos) dots_ = 0;
        return open_ <= kDeepestToml && dots_ < kDeepestToml;
    }

private:
    std::size_t open_ = 0, dots_ = 0;
};

} // namespace

std::optional<std::uint64_t> too_deep_line(std::string_view text) {
    std::uint64_t line = 1;
    Nesting nesting;
    while (!text.empty()) {
        std::size_t bytes = 1;
        if (text[0] == '"' || text[0] == '\'')
            bytes = string_bytes(text);
        else if (text[0] == '#')
            bytes = std::min(text.find('\n'), text.size());
        else if (!nesting.take(text[0]))
            return line;
        line += static_cast<std::uint64_t>(std::ranges::count(text.substr(0, bytes), '\n'));
        text.remove_prefix(bytes);
    }
    return {};
}

} // namespace hogwild
