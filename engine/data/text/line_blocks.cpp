#include "engine/data/text/line_blocks.h"

#include "engine/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace hogwild {

void fail_long_line(const std::string& name, std::uint64_t line, std::uint64_t max_line_bytes, std::string_view ends) {
    if (ends != "\n") {
        throw Error(fmt::format("{}:{}: more than {} bytes without a blank", name, line, max_line_bytes),
                    "the limit against files that are no text", "check the file");
    }
    throw Error(fmt::format("{}:{}:1: line longer than {} bytes", name, line, max_line_bytes),
                "the limit against files that are no LIBSVM text", "check the file, or raise the limit");
}

LineBlocks cut_lines(std::string_view text, std::uint64_t block_bytes, std::uint64_t max_line_bytes,
                     const std::string& name, std::uint64_t lines_before, std::string_view ends) {
    LineBlocks cut;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t nominal = begin + std::min<std::uint64_t>(block_bytes, text.size() - begin) - 1;
        // Every line that ends before `nominal` is shorter than a block, hence within the limit.
        const std::size_t newline = text.find_first_of(ends, nominal);
        const std::size_t line_end = newline == std::string_view::npos ? text.size() : newline;
        std::size_t line_begin = begin;
        if (nominal > begin) {
            const std::size_t before = text.substr(begin, nominal - begin).find_last_of(ends);
            if (before != std::string_view::npos) line_begin = begin + before + 1;
        }
        if (line_end - line_begin > max_line_bytes) {
            const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_begin), '\n');
            fail_long_line(name, lines_before + static_cast<std::uint64_t>(lines) + 1, max_line_bytes, ends);
        }
        if (newline == std::string_view::npos) {
            if (line_begin > begin) cut.blocks.push_back(text.substr(begin, line_begin - begin));
            cut.rest = text.substr(line_begin);
            break;
        }
        cut.blocks.push_back(text.substr(begin, newline + 1 - begin));
        begin = newline + 1;
    }
    return cut;
}

} // namespace hogwild
