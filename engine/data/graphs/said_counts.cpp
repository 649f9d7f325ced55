#include "engine/data/graphs/said_counts.h"

#include "engine/numbers.h"

#include <algorithm>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// The whole number behind `name:` in a line of small letters.
std::optional<std::uint64_t> count_behind(std::string_view line, std::string_view name) {
    const std::size_t at = line.find(name);
    if (at == std::string_view::npos) return {};
    line.remove_prefix(at + name.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return parse_count(line.substr(0, line.find_first_not_of("0123456789")));
}

} // namespace

std::optional<std::uint64_t> said_edges(std::string_view line) {
    constexpr std::size_t kLongest = 200; // such a comment is no longer
    std::string small(line.substr(0, std::min(line.find('\n'), kLongest)));
    std::ranges::transform(small, small.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    return count_behind(small, "nodes:") ? count_behind(small, "edges:") : std::nullopt;
}

std::string said_counts_note(const std::vector<GraphBlock>& blocks) {
    std::uint64_t edges = 0, lines = 0, line = 0;
    std::optional<std::uint64_t> said;
    for (const GraphBlock& block : blocks) {
        if (block.said_edges && !said) {
            said = block.said_edges;
            line = lines + block.said_line;
        }
        edges += block.rows;
        lines += block.lines;
    }
    if (!said || edges == *said || edges == 2 * *said) return "";
    return fmt::format("line {} says that there are {} edges, and there are {}: check that the file is complete", line,
                       *said, edges);
}

} // namespace hogwild
