#include "experiments/questions.h"

#include "kernels/patterns/token_windows.h"

namespace hogwild {

std::vector<Questions> questions_of(const AnyView& view) {
    if (!view.is<TokensView>()) return {};
    const auto text = view.as<TokensView>();
    std::vector<Questions> all;
    for (std::uint32_t s = 0; s < TokensView::kSets; ++s)
        all.push_back({TokenWindows::kScores[s].name, "pairs", text.pair_count[s], text.pairs_asked[s]});
    all.push_back(
        {TokenWindows::kScores[TokensView::kSets].name, "analogies", text.analogy_count, text.analogies_asked});
    std::erase_if(all, [](const Questions& each) { return each.asked == 0; });
    return all;
}

} // namespace hogwild
