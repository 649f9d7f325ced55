// Reads LIBSVM text, plain or compressed, into compressed sparse rows; in parallel, with the same result at any number
// of threads. Labels stay as they stand in the file (engine/data/labels.h gives them a meaning).
//
// Blocks of whole lines are parsed into arrays of their own, which are then moved into the final ones and freed one by
// one: the peak is the final arrays plus a few blocks, plus two windows of text when it is decompressed on the way.
//
// Accepts LF or CR LF, a byte order mark, comments, blank lines, a last line without newline. Everything else is an
// Error `name:line:column: what (why); try`, for the first fault of the text. Reentrant.
#pragma once

#include "engine/data/sparse_arrays.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hogwild {

struct LibsvmLimits {
    std::uint64_t max_text_bytes = std::uint64_t{64} << 30;
    std::uint64_t max_ratio = 1000; // text per stored byte, judged above 256 MiB of text
    std::uint64_t max_line_bytes = std::uint64_t{1} << 30;
    std::uint64_t max_array_bytes = ~std::uint64_t{0}; // indices, values, labels, row lengths
    std::uint64_t block_bytes = 0;                     // text per parsing task; 0: chosen by size
};

struct LibsvmData {
    std::shared_ptr<SparseArrays> arrays;
    std::uint64_t text_bytes = 0;
};

/// `stored` is the file's content; `name` is for messages.
LibsvmData read_libsvm(std::string_view stored, const std::string& name, const LibsvmLimits& limits = {});

} // namespace hogwild
