#include "engine/data/text/text_source.h"

#include "engine/data/text/line_blocks.h"
#include "engine/data/text/text_window.h"
#include "engine/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kSmallestBlock = std::uint64_t{1} << 20; // fits a second-level cache with what it becomes
constexpr std::uint64_t kLargestBlock = std::uint64_t{64} << 20;
constexpr std::uint64_t kBlocksPerFile = 4096; // more would only cost bookkeeping and memory mappings
constexpr std::uint64_t kRatioJudgedAbove = std::uint64_t{256} << 20;

std::uint64_t block_bytes(const TextLimits& limits, std::uint64_t text_bytes) {
    const std::uint64_t chosen = std::clamp(text_bytes / kBlocksPerFile, kSmallestBlock, kLargestBlock);
    return std::min(limits.block_bytes != 0 ? limits.block_bytes : chosen, limits.max_line_bytes);
}

void read_plain(std::string_view text, const TextLimits& limits, TextParser& parser) {
    check_text(parser.name(), text.size(), text.size(), limits);
    LineBlocks cut =
        cut_lines(text, block_bytes(limits, text.size()), limits.max_line_bytes, parser.name(), 0, limits.ends);
    const auto after = [&](std::string_view block) { // but not of the copy below
        if (limits.done && block.data() >= text.data() && block.data() < text.data() + text.size()) limits.done(block);
    };
    std::string last_line; // the parser wants a newline behind every line
    if (!cut.rest.empty()) {
        last_line.reserve(cut.rest.size() + 1);
        last_line.append(cut.rest).push_back('\n');
        cut.blocks.emplace_back(last_line);
    }
    parser.parse(cut.blocks, {}, after);
}

void read_compressed(TextWindows& windows, std::string_view stored, const TextLimits& limits, TextParser& parser) {
    bool more = windows.fill_first();
    while (more) {
        if (limits.done) limits.done(stored); // what the coming windows need of it is read again
        const std::string_view lines = windows.whole_lines(parser.lines());
        const std::uint64_t size = block_bytes(limits, windows.text_bytes());
        const LineBlocks cut =
            cut_lines(lines, size, limits.max_line_bytes, parser.name(), parser.lines(), limits.ends);
        parser.parse(cut.blocks, [&] { more = windows.fill_next(); }, {}); // decompresses while this window is parsed
        windows.advance();
    }
}

} // namespace

void check_text(const std::string& name, std::uint64_t text_bytes, std::uint64_t stored_bytes,
                const TextLimits& limits) {
    if (text_bytes > limits.max_text_bytes) {
        throw Error(name + " is too large",
                    fmt::format("its text exceeds the limit of {} bytes", limits.max_text_bytes),
                    "split the file or raise the limit");
    }
    if (text_bytes > kRatioJudgedAbove && text_bytes / limits.max_ratio > stored_bytes) {
        throw Error(name + " expands suspiciously", fmt::format("to more than {} times its size", limits.max_ratio),
                    "decompress it by hand if it is meant to");
    }
}

std::uint64_t read_text(std::string_view stored, const TextLimits& limits, TextParser& parser) {
    const Compression compression = detect_compression(stored);
    if (compression == Compression::kNone) {
        read_plain(without_byte_order_mark(stored), limits, parser);
        return stored.size();
    }
    TextWindows windows(open_compressed(compression, stored, parser.name()), stored.size(), limits, parser.name());
    read_compressed(windows, stored, limits, parser);
    return windows.text_bytes();
}

} // namespace hogwild
