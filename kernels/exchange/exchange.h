// One round of exchanging increments between a shared buffer and a copy of it, while workers step on both.
//
// The copy was equal to `base` after the last round and was `seen` just now; since then its workers go on. The buffer
// receives rule x (seen - base) for every coordinate, and is `fresh` after that. The copy is owed delta = fresh - seen,
// which whoever holds it adds to what it has become. Then base = fresh. At the next round the copy differs from it by
// its workers' own increments and nothing else, so no increment is counted twice. With rule 1 none is lost either, up
// to rounding, where the buffer is added to atomically. By a load and a store an increment of a worker may be
// overwritten, or overwrite this one.
// A rule below 1 averages instead of summing: the copy forgets the rest of what its workers added.
//
// Thread-safety: `buffer` is shared, the rest belongs to the caller. Source: the exchange of HogWild++ (Zhang, Hsieh, Akella,
// ICDM 2016), with two parties.
#pragma once

#include "kernels/atomic.h"
#include "kernels/numbers/quad_add.h"
#include "kernels/views/prefetch.h"

#include <atomic>
#include <cstdint>
#include <cstring>

namespace hogwild {

struct ExchangeRound {
    const float* seen;
    float* base;
    float* delta; // out
    std::uint32_t count;
    float rule;
};

namespace exchanging {

constexpr std::uint32_t kLine = 16; // floats

/// Coordinates [begin, end), one by one.
template <class Add>
void singles(float* buffer, const ExchangeRound& round, std::uint32_t begin, std::uint32_t end, const Add& add) {
    for (std::uint32_t j = begin; j < end; ++j) {
        const float push = round.rule * (round.seen[j] - round.base[j]);
        const float fresh = push != 0.0f ? add(buffer[j], push) : relaxed_load(buffer[j]);
        round.delta[j] = fresh - round.seen[j];
        round.base[j] = fresh;
    }
}

inline Quad quad_at(const float* values) {
    Quad quad;
    std::memcpy(&quad, values, sizeof(quad));
    return quad;
}

/// The quad from coordinate j on; buffer + j is aligned. Adds zeros, too: a look whether there is anything costs more.
HOGWILD_QUADS inline void quad(float* buffer, const ExchangeRound& round, std::uint32_t j) {
    const Quad seen = quad_at(round.seen + j);
    const Quad fresh = add_quad(buffer + j, round.rule * (seen - quad_at(round.base + j)));
    const Quad delta = fresh - seen;
    std::memcpy(round.delta + j, &delta, sizeof(delta));
    std::memcpy(round.base + j, &fresh, sizeof(fresh));
}

} // namespace exchanging

/// While workers step on the buffer; loses none of their increments.
HOGWILD_QUADS inline void exchange_atomically(float* buffer, const ExchangeRound& round) {
    constexpr std::uint32_t kAhead = 8 * exchanging::kLine; // lines that other cores hold are on their way together
    const auto add = [](float& coordinate, float by) {
        return std::atomic_ref<float>(coordinate).fetch_add(by, std::memory_order_relaxed) + by;
    };
    std::uint32_t j = 0;
    while (j < round.count && !is_quad_aligned(buffer + j)) ++j;
    exchanging::singles(buffer, round, 0, j, add);
    for (; j + 4 <= round.count; j += 4) {
        if (j % exchanging::kLine < 4 && j + kAhead < round.count) prefetch_to_write(buffer + j + kAhead);
        exchanging::quad(buffer, round, j);
    }
    exchanging::singles(buffer, round, j, round.count, add);
}

/// By loads and stores, where nobody else steps or where increments may be lost.
inline void exchange_racily(float* buffer, const ExchangeRound& round) {
    exchanging::singles(buffer, round, 0, round.count, [](float& coordinate, float by) {
        const float sum = relaxed_load(coordinate) + by;
        relaxed_store(coordinate, sum);
        return sum;
    });
}

} // namespace hogwild
