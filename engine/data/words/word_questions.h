// Questions that trained word vectors are asked, from files, and which of them a vocabulary can answer.
//
// Pairs: `word word score` a line, separated by blanks, tabs or commas; what follows is ignored. Analogies: four words a line,
// as in word2vec's questions-words.txt, a line that begins with `:` naming a section. Lines that begin with `#`, and empty
// ones, are skipped. A word is looked up as it stands, else in lower case (of the letters A to Z). A question is covered if
// the vocabulary has all its words. What holds a control character or bytes that are no UTF-8 is no word, as in texts.
//
// Thread-safety: pure functions but for the files. Errors: Error (Failure::kMissing) for a file that is absent. A line
// that is no question, and a file without any, are Error `file:line:column: what (why); try`. It says so of what may be a header.
#pragma once

#include "engine/data/words/vocabulary.h"
#include "kernels/views/tokens_view.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct PairQuestion {
    std::string a, b;
    float score;
};

using AnalogyQuestion = std::array<std::string, 4>;

std::vector<PairQuestion> read_pair_questions(const std::string& path);
std::vector<AnalogyQuestion> read_analogy_questions(const std::string& path);

/// Questions from a text; `name` stands in errors.
std::vector<PairQuestion> parse_pair_questions(std::string_view text, const std::string& name);
std::vector<AnalogyQuestion> parse_analogy_questions(std::string_view text, const std::string& name);

std::vector<WordPair> covered(const std::vector<PairQuestion>& questions, const Vocabulary& words);
std::vector<Analogy> covered(const std::vector<AnalogyQuestion>& questions, const Vocabulary& words);

} // namespace hogwild
