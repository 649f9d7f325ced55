// One piece of LIBSVM text, parsed by one thread into its own arrays.
//
// A line is `label index:value index:value ...`, separated by blanks and tabs, and ends with LF or CR LF. Indices start
// at 1 and rise along the line. Everything after `#` is a comment. Lines without a sample are skipped.
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/memory/pages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hogwild {

struct LibsvmBlock {
    PageArray<std::uint32_t> lengths; // per row; the first `rows` entries count
    PageArray<float> labels;
    PageArray<std::uint32_t> indices; // 0-based; the first `nonzeros` entries count
    PageArray<float> values;
    std::uint64_t rows = 0;
    std::uint64_t nonzeros = 0;
    std::uint64_t lines = 0;
    std::uint32_t columns = 0; // the largest index + 1
    std::optional<TextFault> fault;

    std::uint64_t bytes() const { return 8 * (rows + nonzeros); }
};

/// `text` ends with a newline. After a fault the arrays hold nothing of use. Reentrant.
LibsvmBlock parse_libsvm_block(std::string_view text);

} // namespace hogwild
