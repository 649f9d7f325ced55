#include "engine/data/text_source.h"

#include "engine/data/line_blocks.h"
#include "engine/data/text_window.h"
#include "engine/error.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::uint64_t kSmallestBlock = std::uint64_t{1} << 20; // fits a second-level cache with what it becomes
constexpr std::uint64_t kLargestBlock = std::uint64_t{64} << 20;
constexpr std::uint64_t kBlocksPerFile = 4096; // more would only cost bookkeeping and memory mappings

std::uint64_t block_bytes(const TextLimits& limits, std::uint64_t text_bytes) {
    const std::uint64_t chosen = std::clamp(text_bytes / kBlocksPerFile, kSmallestBlock, kLargestBlock);
    return std::min(limits.block_bytes != 0 ? limits.block_bytes : chosen, limits.max_line_bytes);
}

void read_plain(std::string_view text, const TextLimits& limits, TextParser& parser) {
    if (text.size() > limits.max_text_bytes) {
        throw Error(parser.name() + " is too large",
                    "its text exceeds the limit of " + std::to_string(limits.max_text_bytes) + " bytes",
                    "split the file or raise the limit");
    }
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
