#include "engine/data/columns/renumber.h"

#include <algorithm>

namespace hogwild {

std::vector<std::uint32_t> renumber(std::span<std::uint32_t> numbers) {
    std::vector<std::uint32_t> occurring(numbers.begin(), numbers.end());
    std::ranges::sort(occurring);
    occurring.erase(std::unique(occurring.begin(), occurring.end()), occurring.end());
    for (std::uint32_t& number : numbers)
        number = static_cast<std::uint32_t>(std::ranges::lower_bound(occurring, number) - occurring.begin());
    return occurring;
}

} // namespace hogwild
