// Word vectors as files, in the formats of word2vec, which gensim's KeyedVectors.load_word2vec_format reads too.
//
//   .txt   `words dim` on the first line; then a line for each word: the word and its numbers, separated by blanks
//   .bin   the same first line; then for each word its bytes, a blank, dim floats in little-endian order, a newline
// Text holds enough digits of a float to read the same one. Files appear whole or not at all.
//
// Thread-safety: pure functions but for the files. Errors: Error (Failure::kUsage) for an ending that is neither,
// (Failure::kMissing) for a file that is absent, (Failure::kDisk) for one that cannot be written. Else Error for what
// is no such file: truncated, a word twice, numbers that are not finite. It names the line of a text, else the word's
// number.
#pragma once

#include "engine/data/words/vocabulary.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct WordVectors {
    std::shared_ptr<const Vocabulary> words;
    std::uint32_t dim = 0;
    std::vector<float> vectors; // of word w: from w * dim on
};

/// Whether a file's name has one of the two endings.
bool holds_words(const std::string& file);

void save_word_vectors(const std::string& file, const Vocabulary& words, std::uint32_t dim,
                       std::span<const float> vectors);

WordVectors load_word_vectors(const std::string& file);

/// The formats, as bytes; `file` is a name for errors.
std::string word2vec_text(const Vocabulary& words, std::uint32_t dim, std::span<const float> vectors);
std::string word2vec_binary(const Vocabulary& words, std::uint32_t dim, std::span<const float> vectors);
WordVectors read_word2vec_text(std::string_view text, const std::string& file);
WordVectors read_word2vec_binary(std::string_view bytes, const std::string& file);

} // namespace hogwild
