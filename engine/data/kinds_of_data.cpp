#include "engine/data/kinds_of_data.h"

#include "engine/data/files/mapped_file.h"
#include "engine/data/images/image_files.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/data/synthetic/synthetic_graph.h"
#include "engine/data/synthetic/synthetic_images.h"
#include "engine/data/synthetic/synthetic_ratings.h"
#include "engine/data/synthetic/synthetic_words.h"
#include "engine/data/text/byte_source.h"
#include "engine/data/text/text_words.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "kernels/catalog.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cctype>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

using Kinds = std::vector<std::string_view>;
constexpr std::string_view kRows = SparseView::kSamples, kRatings = RatingsView::kSamples, kEdges = EdgesView::kSamples,
                           kText = TokensView::kSamples, kImages = ImagesView::kSamples;

bool parses(const auto& parse) {
    try {
        parse();
        return true;
    } catch (const Error&) {
        return false;
    }
}

Kinds kinds_of_recipe(const std::string& name) {
    if (is_synthetic_images(name)) return {kImages};
    Kinds kinds;
    if (is_synthetic_words(name)) kinds.push_back(kText);
    if (parses([&] { parse_synthetic(name, 1); })) kinds.push_back(kRows);
    if (parses([&] { parse_synthetic_ratings(name, 1); })) kinds.push_back(kRatings);
    if (parses([&] { parse_synthetic_graph(name, 1); })) kinds.push_back(kEdges);
    if (parses([&] { parse_synthetic_images(name, 1); })) kinds.push_back(kImages);
    return kinds;
}

/// The words of a line between separators, of which several may stand together.
std::vector<std::string_view> words_between(std::string_view line, std::string_view separators) {
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
        if (line.empty()) return words;
        words.push_back(line.substr(0, line.find_first_of(separators)));
        line.remove_prefix(words.back().size());
    }
}

bool is_number(std::string_view word) { return parse_real(word.substr(word.starts_with('+') ? 1 : 0)).has_value(); }
bool is_whole(std::string_view word) { return !word.empty() && std::ranges::all_of(word, words::is_digit); }
bool is_pair(std::string_view word) {
    const std::size_t colon = word.find(':');
    return colon != std::string_view::npos && is_whole(word.substr(0, colon)) && is_number(word.substr(colon + 1));
}
bool is_letters(std::string_view word) {
    return std::ranges::all_of(word, [](unsigned char c) { return c >= 0x80 || std::isalpha(c) != 0 || c == '\''; });
}

/// An index and its value, behind a label.
bool is_row(const std::vector<std::string_view>& words) {
    return words.size() > 1 && is_number(words[0]) && std::all_of(words.begin() + 1, words.end(), is_pair);
}

/// Of a file for cuts: p max 4 5, n 1 s, a 1 2 3, c whatever.
bool is_graph_line(const std::vector<std::string_view>& words) {
    constexpr std::string_view kLetters = "cpnatl";
    if (words[0].size() != 1 || kLetters.find(words[0][0]) == std::string_view::npos) return false;
    return words[0] == "c" || (words.size() > 2 && is_whole(words[words[0] == "p" ? 2 : 1]));
}

/// User, item and rating between commas, semicolons or double colons; or the names of such columns.
bool is_table_line(std::string_view line) {
    const bool colons = line.find("::") != std::string_view::npos;
    if (!colons && line.find_first_of(",;") == std::string_view::npos) return false;
    const std::vector<std::string_view> fields = words_between(line, colons ? ":" : ",; \t");
    if (fields.size() < 3) return false;
    return (is_whole(fields[0]) && is_whole(fields[1]) && is_number(fields[2])) ||
           (!colons &&
            std::ranges::all_of(fields,
                                [](std::string_view field) {
                                    return std::ranges::all_of(
                                        field, [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; });
                                }) &&
            line.find(' ') == std::string_view::npos);
}

Kinds kinds_of_line(std::string_view line) {
    const std::vector<std::string_view> words = words_between(line, " \t");
    if (is_row(words)) return {kRows};
    if (is_table_line(line)) return {kRatings};
    if (is_graph_line(words)) return {kEdges};
    const bool ids = words.size() > 1 && is_whole(words[0]) && is_whole(words[1]);
    if (ids && words.size() == 2) return {kEdges};
    if (ids && words.size() == 3 && is_number(words[2])) return {kRatings, kEdges};
    if (ids && words.size() == 4 && is_number(words[2]) && is_whole(words[3])) return {kRatings}; // with a time
    const auto letters = std::ranges::count_if(words, is_letters);
    if (words.size() > 1 && 2 * letters >= static_cast<std::ptrdiff_t>(words.size())) return {kText};
    return {};
}

} // namespace

std::vector<std::string_view> kinds_of_text(std::string_view text) {
    constexpr std::size_t kLines = 8;
    std::size_t lines = 0;
    Kinds kinds;
    for (; lines < kLines && !text.empty();) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos && lines > 0) break; // it may be cut
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos || line[first] == '#' || line[first] == '%') continue;
        const Kinds own = kinds_of_line(line);
        if (lines++ == 0) kinds = own;
        std::erase_if(kinds, [&](std::string_view kind) { return std::ranges::find(own, kind) == own.end(); });
        if (kinds.empty()) return {};
    }
    return kinds;
}

std::vector<std::string_view> kinds_of_data(const std::string& name) {
    if (is_synthetic(name)) return kinds_of_recipe(name);
    if (holds_images(name)) return {kImages};
    constexpr std::size_t kFront = 1 << 16;
    try {
        const MappedFile file(name);
        ByteSource source(file.text(), name, {});
        std::string front(kFront, '\0');
        front.resize(source.read({reinterpret_cast<std::uint8_t*>(front.data()), front.size()}));
        return kinds_of_text(front);
    } catch (const Error&) {
        return {};
    }
}

std::string seems(const std::string& name, const std::vector<std::string_view>& kinds) {
    const bool generated = is_synthetic(name);
    std::vector<std::string_view> words;
    for (const std::string_view kind : kinds) words.push_back(kind == kRows && !generated ? "LIBSVM text" : kind);
    return fmt::format("{} {} {}", name, generated ? "holds" : "looks like", fmt::join(words, " or "));
}

std::string problems_of_kinds(const std::vector<std::string_view>& kinds) {
    std::vector<std::string_view> problems;
    for (const std::string_view problem : catalog::names<Problems>) {
        const std::string_view samples = with_problem(problem, []<class P>(P) { return P::Pattern::View::kSamples; });
        if (std::ranges::find(kinds, samples) != kinds.end()) problems.push_back(problem);
    }
    if (problems.size() < 2) return fmt::format("--problem {}", fmt::join(problems, ""));
    const std::string_view last = problems.back();
    problems.pop_back();
    return fmt::format("--problem {} or {}", fmt::join(problems, ", "), last);
}

} // namespace hogwild
