// The reader of texts on arbitrary bytes: an Error, or ids below the vocabulary's size, with words numbered by falling
// count. A text survives being written and read again.
#include "engine/data/words/tokens.h"
#include "tests/fuzz/laws.h"

#include <vector>

namespace {

/// Its sentences, a line each.
std::string written(const hogwild::TokensData& data) {
    const hogwild::TokensView view = data.array->view();
    std::string text = " "; // a word may begin as a byte order mark does
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        if (i > 0) text += view.tokens[i] >= hogwild::TokensView::kFirst ? '\n' : ' ';
        text += data.words->word(view.word(i));
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz(bytes, size, [](std::string_view file, const TextLimits& limits) {
        for (const std::uint64_t min_count : {1u, 2u}) {
            const TokensData data = read_tokens(file, "fuzz", limits, min_count);
            const TokensView view = data.array->view();
            demand(view.rows > 0 && view.words > 0, "a text without words is refused");
            demand(view.tokens[0] >= TokensView::kFirst, "the first word begins a sentence");
            std::vector<std::uint64_t> counts(view.words);
            for (std::uint64_t i = 0; i < view.rows; ++i) {
                demand(view.word(i) < view.words, "ids below their number");
                ++counts[view.word(i)];
            }
            for (std::uint32_t w = 0; w < view.words; ++w) {
                demand(counts[w] >= min_count, "rare words are out of the text");
                demand(data.words->word(w).size() <= 255, "long words are out of the text");
                demand(w == 0 || counts[w] < counts[w - 1] ||
                           (counts[w] == counts[w - 1] && data.words->word(w - 1) < data.words->word(w)),
                       "words are numbered by falling count, then by their bytes");
                demand(view.noise[w].alias < view.words, "aliases are words");
            }
            demand(written(read_tokens(written(data), "again", {}, 1)) == written(data), "written and read again");
        }
    });
}
