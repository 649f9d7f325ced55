// Decompressed text in two windows: one is parsed while the other is filled.
//
//     bool more = windows.fill_first();
//     while (more) { parse(windows.whole_lines(...)) while more = windows.fill_next(); windows.advance(); }
//
// Each window holds whole lines; what is left of the last one moves to the front of the next. Text beyond the limits
// ends in an Error before it is stored. fill_next may run beside a reader of whole_lines' view, nothing else may.
#pragma once

#include "engine/data/text/decompress.h"
#include "engine/data/text/text_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hogwild {

class TextWindows {
public:
    TextWindows(ByteReader reader, std::uint64_t stored_bytes, const TextLimits& limits, std::string name);

    /// False when there is no text at all.
    bool fill_first();

    /// The current window up to its last newline; the text's last line gets one if it has none. Moves the rest to the
    /// next window. Grows a window that a single line fills. `lines_before` is for the message about a line beyond the
    /// limit.
    std::string_view whole_lines(std::uint64_t lines_before);

    /// Fills the next window; false when there is nothing more to parse.
    bool fill_next();

    /// The next window becomes the current one.
    void advance();

    /// Decompressed so far.
    std::uint64_t text_bytes() const { return text_bytes_; }

private:
    struct Window {
        std::unique_ptr<char[]> bytes;
        std::size_t capacity = 0;
        std::size_t size = 0;

        void grow(std::size_t wanted);
    };

    void fill(Window& window);

    ByteReader reader_;
    std::uint64_t stored_bytes_;
    TextLimits limits_;
    std::string name_;
    Window current_;
    Window next_;
    std::size_t window_bytes_;
    std::uint64_t text_bytes_ = 0;
    bool ended_ = false;
};

} // namespace hogwild
