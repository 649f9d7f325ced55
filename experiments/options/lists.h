// Lists as a person writes them: values separated by commas, of which one in brackets stands for several.
//
//   [1:64:2]          1, 3, 5, ..., 63: from, to, by (1 unless it is given); whole or real
//   [pow2 1..64]      1, 2, 4, ..., 64: the powers of two within
//   [log 1e-3..1 x12] twelve numbers from the first to the second, each the one before times the same factor, to three
//                     significant digits but for the two that were written
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) that names the option, the value and what is possible.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// The values as texts, each once, in the order written. `option` is named in errors, as the user typed it: "--threads".
std::vector<std::string> name_list(std::string_view option, std::string_view text);

} // namespace hogwild
