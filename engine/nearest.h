// The known word that somebody meant who typed another: the one that the fewest slips lead to. A slip is a letter too
// many, too few or wrong (Levenshtein distance). Capital letters are as good as small ones. More slips than one in
// three letters, dashes before them not counted, are no slip.
//
// Thread-safe: a pure function. Source: Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", 1966.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// Empty: no known word is near.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);

} // namespace hogwild
