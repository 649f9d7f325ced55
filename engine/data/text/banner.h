// A line that looks like the banner of a Matrix Market file, whether it is one or not.
//
// Thread-safe: a pure function.
#pragma once

#include <string_view>

namespace hogwild {

/// `%MatrixMarket`, `# Matrix Market`, `%% matrix coordinate real general`: its first word but for signs and blanks is MatrixMarket,
/// or the words of a banner stand in it, in letters of either case. What comes behind a newline has no part.
bool looks_like_banner(std::string_view line);

} // namespace hogwild
