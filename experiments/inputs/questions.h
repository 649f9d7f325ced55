// What the models of samples will be asked, and how much of it they can answer.
//
// Thread-safe: pure functions.
#pragma once

#include "engine/data/dataset.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hogwild {

struct Questions {
    std::string_view score; // that the answers give
    const char* kind;       // "pairs", "analogies"
    std::uint64_t covered;  // about words of the vocabulary alone
    std::uint64_t asked;
};

/// One for each score that anything is asked for; none for samples that are no text.
std::vector<Questions> questions_of(const AnyView& view);

} // namespace hogwild
