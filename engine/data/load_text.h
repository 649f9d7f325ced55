// Loads a text for word vectors (engine/data/words/tokens.h), and the questions that its vectors are asked.
//
// Questions come from the files that are named, else from those beside the text that have the sets' usual names. These
// are EN-MEN-TR-3k.txt and EN-WS-353-ALL.txt for pairs, and questions-words.txt for analogies. A file of pairs belongs
// to the set that its name says: MEN, or WS-353 or ws353.
// Errors: throws Error; Failure::kUsage for a file of pairs of neither set, or two of one. Thread-safety: as of load.h.
#pragma once

#include "engine/data/words/tokens.h"
#include "kernels/views/tokens_view.h"

#include <string>
#include <vector>

namespace hogwild {

struct QuestionFiles {
    std::string pairs[TokensView::kSets]; // empty: none
    std::string analogies;
};

/// `pairs` and `analogies` are what was named for the text.
QuestionFiles question_files(const std::string& text, const std::vector<std::string>& pairs,
                             const std::string& analogies);

/// Reads them, and keeps what the text's words can answer.
void ask(TokensData& data, const QuestionFiles& files);

} // namespace hogwild
