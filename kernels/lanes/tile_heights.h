// From a tile's height, which the size of a product decides, to code that is compiled for that height.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hogwild {

inline constexpr std::uint32_t kTallestTile = 12;

/// Calls f.operator()<kTall>() with kTall = tall. Precondition: 1 <= tall <= kMost.
template <std::uint32_t kMost, class F>
[[gnu::always_inline]] inline void with_height(std::uint32_t tall, const F& f) {
    static_assert(kMost <= kTallestTile, "a case for each");
    // NOLINTBEGIN(bugprone-branch-clone): above kMost the cases are one
    switch (tall) {
    case 1: return f.template operator()<std::min(1u, kMost)>();
    case 2: return f.template operator()<std::min(2u, kMost)>();
    case 3: return f.template operator()<std::min(3u, kMost)>();
    case 4: return f.template operator()<std::min(4u, kMost)>();
    case 5: return f.template operator()<std::min(5u, kMost)>();
    case 6: return f.template operator()<std::min(6u, kMost)>();
    case 7: return f.template operator()<std::min(7u, kMost)>();
    case 8: return f.template operator()<std::min(8u, kMost)>();
    case 9: return f.template operator()<std::min(9u, kMost)>();
    case 10: return f.template operator()<std::min(10u, kMost)>();
    case 11: return f.template operator()<std::min(11u, kMost)>();
    default: return f.template operator()<kMost>();
    }
    // NOLINTEND(bugprone-branch-clone)
}

} // namespace hogwild
