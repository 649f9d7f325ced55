// A text of values with titles, a line each, below a heading: what `hogwild data` says. A plain value.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hogwild {

class TitledLines {
public:
    explicit TitledLines(std::string_view heading) : text_(fmt::format("{}\n", heading)) {}

    void line(std::string_view title, std::string_view value) { text_ += fmt::format("  {:<16} {}\n", title, value); }

    /// All so far. Leaves nothing.
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

} // namespace hogwild
