// Text of samples, plain or compressed, handed to a parser in blocks of whole lines, or of whole words.
//
// Compressed text is decompressed into two windows: one is parsed while the other is filled. A byte order mark is dropped, and
// a last line without newline gets one. Not thread-safe: one caller, whose calls use all threads inside.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// Against hostile or mistaken input; and how a text is read.
struct TextLimits {
    std::uint64_t max_text_bytes = std::uint64_t{64} << 30;
    std::uint64_t max_ratio = 1000; // text per stored byte, judged above 256 MiB of text
    std::uint64_t max_line_bytes = std::uint64_t{1} << 30;
    std::uint64_t max_array_bytes = ~std::uint64_t{0}; // of what the text becomes
    std::uint64_t block_bytes = 0;                     // text per parsing task; 0: chosen by size
    std::string_view ends = "\n"; // a block may end behind each of these; with blanks, max_line_bytes is about a word
    std::function<void(std::string_view)> done; // told of parts of the stored text that have been read, by any thread
};

/// Throws Error for `text_bytes` so far, of `stored_bytes` in the file `name`, that are more than the limits allow.
void check_text(const std::string& name, std::uint64_t text_bytes, std::uint64_t stored_bytes,
                const TextLimits& limits);

/// The first thing wrong with a text, in the grammar of hogwild::Error.
struct TextFault {
    std::uint64_t line = 0;   // 1-based, within the block
    std::uint64_t column = 0; // 1-based, in bytes
    std::string what, why, suggestion;
};

/// Parses a text's blocks.
class TextParser {
public:
    virtual ~TextParser() = default;

    /// The file's name, for messages.
    virtual const std::string& name() const = 0;

    /// Lines of all blocks so far.
    virtual std::uint64_t lines() const = 0;

    /// Parses the blocks, which follow those of earlier calls. `beside` runs once at the same time. `after` is told of
    /// each block once it has been parsed, by any thread. Either may be null. Throws Error for the first fault in the
    /// order of the text, which comes before whatever `beside` throws.
    virtual void parse(const std::vector<std::string_view>& blocks, const std::function<void()>& beside,
                       const std::function<void(std::string_view)>& after) = 0;
};

/// Hands all text of a file's content `stored` to the parser; returns its bytes. Errors: throws Error for text beyond the limits,
/// or damaged, and what the parser throws.
std::uint64_t read_text(std::string_view stored, const TextLimits& limits, TextParser& parser);

} // namespace hogwild
