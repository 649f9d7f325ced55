// A line that looks like the banner of a Matrix Market file, whether it is one or not.
//
// Thread-safe: a pure function.
#pragma once

#include <string_view>

namespace hogwild {

/// `%MatrixMarket`, `# Matrix Market`, `%% matrix coordinate real general`, in letters of either case. Behind signs and blanks the
/// first word is MatrixMarket, or the line has a banner's words. What comes behind a newline has no part.
bool looks_like_banner(std::string_view line);

} // namespace hogwild
