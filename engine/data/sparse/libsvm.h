// Reads LIBSVM text, plain or compressed, into compressed sparse rows; in parallel, with the same result at any number
// of threads. Labels stay as they stand in the file (engine/data/sparse/labels.h gives them a meaning).
//
// Blocks of whole lines are parsed into arrays of their own, which are then moved into the final ones and freed one by
// one. The peak is the final arrays plus a few blocks, plus two windows of text when it is decompressed on the way.
//
// Accepts LF or CR LF, a byte order mark, comments, blank lines, a last line without newline. Everything else is an
// Error `name:line:column: what (why); try`, for the first fault of the text. Reentrant.
#pragma once

#include "engine/data/sparse/sparse_arrays.h"
#include "engine/data/text/text_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hogwild {

struct LibsvmData {
    std::shared_ptr<SparseArrays> arrays;
    std::uint64_t text_bytes = 0;
};

/// `stored` is the file's content; `name` is for messages.
LibsvmData read_libsvm(std::string_view stored, const std::string& name, const TextLimits& limits = {});

} // namespace hogwild
