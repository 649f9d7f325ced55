#include "engine/data/ratings/matrix_market.h"

#include "engine/data/text/text_words.h"
#include "engine/error.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// The next word of a line, or nothing; takes it off.
std::string_view next_word(std::string_view& line) {
    const auto begin = std::find_if_not(line.begin(), line.end(), words::is_blank_or_cr);
    const auto end = std::find_if(begin, line.end(), words::is_blank_or_cr);
    const std::string_view word(begin, end);
    line = {end, line.end()};
    return word;
}

std::string lower(std::string_view word) {
    std::string text(word);
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    return text;
}

void check_banner(std::string_view line, const std::string& name) {
    next_word(line);
    const std::string object = lower(next_word(line)), format = lower(next_word(line)), field = lower(next_word(line)),
                      symmetry = lower(next_word(line));
    const bool numbers = field == "real" || field == "integer";
    if (object == "matrix" && format == "coordinate" && numbers && symmetry == "general" && next_word(line).empty())
        return;
    throw Error(name + ":1:1: this Matrix Market file holds no ratings",
                "only 'matrix coordinate real general' and 'matrix coordinate integer general' are read",
                "write it as such, or as lines of 'user item rating'");
}

[[noreturn]] void refuse_size_line(std::uint64_t number, const std::string& name) {
    throw Error(fmt::format("{}:{}:1: this is no size line", name, number),
                "behind the comments of a coordinate matrix stand 'rows columns entries'", "repair the line");
}

std::uint64_t next_number(std::string_view& line, std::uint64_t number, const std::string& name) {
    const std::string_view word = next_word(line);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) refuse_size_line(number, name);
    return value;
}

} // namespace

bool is_matrix_market(std::string_view text) {
    constexpr std::string_view kBanner = "%%matrixmarket";
    return lower(text.substr(0, kBanner.size())) == kBanner;
}

MatrixHead matrix_head(const std::vector<std::string_view>& texts, const std::string& name) {
    MatrixHead head;
    for (std::string_view text : texts) {
        while (!text.empty()) {
            std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(line.size() + 1);
            head.bytes += line.size() + 1;
            ++head.lines;
            if (head.lines == 1) check_banner(line, name);
            std::string_view rest = line;
            if (line.starts_with('%') || next_word(rest).empty()) continue;
            head.rows = next_number(line, head.lines, name);
            head.columns = next_number(line, head.lines, name);
            head.entries = next_number(line, head.lines, name);
            if (!next_word(line).empty()) refuse_size_line(head.lines, name);
            return head;
        }
    }
    throw Error(name + " has no size line", "behind the comments of a coordinate matrix stand 'rows columns entries'",
                "check that the file is complete");
}

std::string size_line_note(std::span<const Rating> ratings) {
    constexpr std::size_t kFewest = 3;
    if (ratings.size() < kFewest) return "";
    const Rating& first = ratings[0];
    const auto follow = ratings.size() - 1;
    if (double{first.value} != static_cast<double>(follow)) return "";
    const auto within = [&](const Rating& each) { return each.user <= first.user && each.item <= first.item; };
    if (!std::ranges::all_of(ratings, within)) return "";
    return fmt::format(
        "the first rating, {}, is by the last user and of the last item, and as many follow: if it is the "
        "size line of a matrix, begin the file with '%%MatrixMarket matrix coordinate real general', or "
        "remove it",
        first.value);
}

} // namespace hogwild
