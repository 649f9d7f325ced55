// Sixteen edges of a graph at once, for instruction sets that gather and scatter. Precondition of all: they share no free
// node, so that one after the other would give the same bits (kernels/views/edges_view.h says which do).
//
// What a set that can offers, in kernels/lanes/edges_NAME.h:
//   split(edges, u, v, weight)             of 16 stored edges
//   gather(weights, index, limit, to)      to[l] = weights[index[l]] where index[l] < limit; 1 where it is limit, 0 beyond
//   scatter<kWrite>(weights, index, limit, from)   weights[index[l]] = from[l] where index[l] < limit
#pragma once

#include <cstdint>

namespace hogwild {

inline constexpr std::uint32_t kAbreast = 16;

template <class Lanes>
struct Abreast {
    static constexpr bool kCan = false;
};

} // namespace hogwild
