#include "engine/data/text/text_window.h"

#include "engine/data/text/line_blocks.h"
#include "engine/machine/parallel.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hogwild {
namespace {

// Two blocks of a mebibyte for each thread keep them busy while the next window is decompressed.
std::size_t chosen_window(const TextLimits& limits) {
    const std::uint64_t block = limits.block_bytes != 0 ? limits.block_bytes : std::uint64_t{1} << 20;
    return std::clamp<std::uint64_t>(2 * block * parallelism(), block, std::uint64_t{64} << 20);
}

} // namespace

TextWindows::TextWindows(ByteReader reader, std::uint64_t stored_bytes, const TextLimits& limits, std::string name)
    : reader_(std::move(reader)),
      stored_bytes_(stored_bytes),
      limits_(limits),
      name_(std::move(name)),
      window_bytes_(chosen_window(limits)) {
    current_.grow(window_bytes_);
}

void TextWindows::Window::grow(std::size_t wanted) {
    if (wanted <= capacity) return;
    auto larger = std::make_unique_for_overwrite<char[]>(wanted);
    if (size > 0) std::memcpy(larger.get(), bytes.get(), size);
    bytes = std::move(larger);
    capacity = wanted;
}

void TextWindows::fill(Window& window) {
    while (!ended_ && window.size < window.capacity) {
        const std::size_t count = reader_({window.bytes.get() + window.size, window.capacity - window.size});
        ended_ = count == 0;
        window.size += count;
        text_bytes_ += count;
        check_text(name_, text_bytes_, stored_bytes_, limits_);
    }
}

bool TextWindows::fill_first() {
    fill(current_);
    const std::string_view text(current_.bytes.get(), current_.size);
    const std::size_t mark = text.size() - without_byte_order_mark(text).size();
    std::memmove(current_.bytes.get(), current_.bytes.get() + mark, current_.size - mark);
    current_.size -= mark;
    return current_.size > 0;
}

std::string_view TextWindows::whole_lines(std::uint64_t lines_before) {
    std::size_t newline = std::string_view::npos;
    for (std::size_t searched = 0;;) {
        const std::string_view fresh(current_.bytes.get() + searched, current_.size - searched);
        newline = fresh.find_last_of(limits_.ends);
        if (newline != std::string_view::npos) newline += searched;
        if (newline != std::string_view::npos || ended_) break;
        if (current_.size > limits_.max_line_bytes) {
            fail_long_line(name_, lines_before + 1, limits_.max_line_bytes, limits_.ends);
        }
        searched = current_.size;
        current_.grow(2 * current_.capacity);
        fill(current_);
    }
    std::size_t whole = newline == std::string_view::npos ? 0 : newline + 1;
    if (ended_ && whole < current_.size) {
        current_.grow(current_.size + 1);
        current_.bytes[current_.size++] = '\n';
        whole = current_.size;
    }
    const std::size_t rest = current_.size - whole;
    next_.size = 0;
    next_.grow(std::max(window_bytes_, 2 * rest));
    std::memcpy(next_.bytes.get(), current_.bytes.get() + whole, rest);
    next_.size = rest;
    return {current_.bytes.get(), whole};
}

bool TextWindows::fill_next() {
    fill(next_);
    return next_.size > 0;
}

void TextWindows::advance() { std::swap(current_, next_); }

} // namespace hogwild
