#include "experiments/inputs/questions.h"

#include "kernels/patterns/token_windows.h"

namespace hogwild {

namespace {

std::vector<Questions> asked_of(const TokensView& text) {
    std::vector<Questions> all;
    for (std::uint32_t s = 0; s < TokensView::kSets; ++s)
        all.push_back({TokenWindows::kScores[s].name, "pairs", text.pair_count[s], text.pairs_asked[s]});
    all.push_back(
        {TokenWindows::kScores[TokensView::kSets].name, "analogies", text.analogy_count, text.analogies_asked});
    std::erase_if(all, [](const Questions& each) { return each.asked == 0; });
    return all;
}

std::vector<Questions> asked_of(const auto&) { return {}; }

} // namespace

std::vector<Questions> questions_of(const AnyView& view) {
    return view.visit([](const auto& samples) { return asked_of(samples); });
}

} // namespace hogwild
