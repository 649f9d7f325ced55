// How good word vectors are: correlation with what people say of pairs, and analogies solved.
//
//   similarity   Spearman's rank correlation between the vectors' cosines and the people's scores, average ranks for ties
//   analogies    a is to b as c is to d. The share of questions for which d has the largest cosine with b/|b| - a/|a| +
//                c/|c| among all words but a, b and c. (3CosAdd, Mikolov et al. 2013; where two are equal the first
//                word counts)
//
// Word w's vector is vectors[w * dim ...]; a vector of length 0 has cosine 0 with every other. The same bits at any thread
// count, on any instruction set. Thread-safety: any number of calls at once. Memory of analogies: two floats for each of the
// words that are asked about and each of 1,024 others, and a copy of the vectors.
#pragma once

#include "kernels/views/tokens_view.h"

#include <cstdint>
#include <span>

namespace hogwild {

/// The correlation of two lists of equal length; NaN where one has fewer than two different values.
double spearman(std::span<const double> a, std::span<const double> b);

/// NaN for fewer than two pairs.
double similarity_score(const float* vectors, std::uint32_t dim, std::span<const WordPair> pairs);

/// NaN without questions.
double analogy_accuracy(const float* vectors, std::uint32_t words, std::uint32_t dim,
                        std::span<const Analogy> questions);

} // namespace hogwild
