// The readers of questions about words on arbitrary bytes: an Error that names the file, or words and finite scores.
#include "engine/data/words/word_questions.h"
#include "tests/fuzz/laws.h"

#include <cmath>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    fuzz(bytes, size, [](std::string_view file, const TextLimits&) {
        for (const PairQuestion& pair : parse_pair_questions(file, "fuzz"))
            demand(!pair.a.empty() && !pair.b.empty() && std::isfinite(pair.score), "two words and a score");
    });
    return fuzz(bytes, size, [](std::string_view file, const TextLimits&) {
        for (const AnalogyQuestion& analogy : parse_analogy_questions(file, "fuzz")) {
            for (const std::string& word : analogy) demand(!word.empty(), "four words");
        }
    });
}
