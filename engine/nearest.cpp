#include "engine/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace hogwild {
namespace {

bool same(char a, char b) {
    const auto small = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
    return small(a) == small(b);
}

std::size_t slips(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1); // from each beginning of `to` to the letters of `from` so far
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (const char letter : from) {
        std::size_t diagonal = row[0]++;
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::size_t kept = diagonal + (same(letter, to[i]) ? 0 : 1);
            diagonal = row[i + 1];
            row[i + 1] = std::min({kept, row[i] + 1, diagonal + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
    const auto of = [&](const std::string& word) { return slips(typed, word); };
    const auto best = std::ranges::min_element(known, {}, of);
    if (best == known.end()) return "";
    const std::size_t letters = best->size() - std::min(best->find_first_not_of('-'), best->size());
    return 3 * of(*best) <= letters ? *best : "";
}

} // namespace hogwild
