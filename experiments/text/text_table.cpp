#include "experiments/text/text_table.h"

#include "experiments/text/printable.h"

#include <algorithm>
#include <string_view>

namespace hogwild {
namespace {

/// Code points of UTF-8 text; the table's own words need no wider notion of width.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void end_line(std::string& text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
}

} // namespace

void TextTable::add_column(std::string title, Align align) { columns_.push_back({std::move(title), align}); }

void TextTable::add_row(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = printable(cell);
    rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t widest = width(columns_[i].title);
        for (const auto& cells : rows_) widest = std::max(widest, width(cells[i]));
        widths.push_back(widest);
    }

    const auto line = [&](const auto& cell) {
        std::string text;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string& content = cell(i);
            const std::string padding(widths[i] - width(content), ' ');
            if (i > 0) text += "  ";
            text += columns_[i].align == Align::kRight ? padding + content : content + padding;
        }
        end_line(text);
        return text;
    };

    std::vector<std::string> rules;
    for (const std::size_t w : widths) rules.emplace_back(w, '-');
    std::string text = line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
    text += line([&](std::size_t i) -> const std::string& { return rules[i]; });
    for (const auto& cells : rows_) text += line([&](std::size_t i) -> const std::string& { return cells[i]; });
    return text;
}

} // namespace hogwild
