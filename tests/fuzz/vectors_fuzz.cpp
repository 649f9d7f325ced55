// The readers of word vectors on arbitrary bytes: an Error, or as many finite numbers as words need, which survive being
// written and read again.
#include "experiments/model/word_vectors.h"
#include "tests/fuzz/laws.h"

#include <cmath>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz(bytes, size, [&](std::string_view file, const TextLimits&) {
        const bool text = bytes[0] % 2 == 0;
        const auto read = [&](std::string_view from) {
            return text ? read_word2vec_text(from, "fuzz") : read_word2vec_binary(from, "fuzz");
        };
        const WordVectors vectors = read(file);
        demand(vectors.words->size() > 0 && vectors.dim > 0, "a file without words is refused");
        demand(vectors.vectors.size() == std::size_t{vectors.words->size()} * vectors.dim, "a vector for each word");
        for (const float number : vectors.vectors) demand(std::isfinite(number), "numbers are finite");
        const auto written = text ? word2vec_text : word2vec_binary;
        const std::string once = written(*vectors.words, vectors.dim, vectors.vectors);
        const WordVectors again = read(once);
        demand(written(*again.words, again.dim, again.vectors) == once, "written and read again");
    });
}
