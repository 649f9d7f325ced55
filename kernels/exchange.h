// One round of exchanging increments between a shared buffer and a copy of it, while workers step on both.
//
// The copy was equal to `base` after the last round and was `seen` just now; since then its workers go on. Of every
// coordinate the buffer receives rule x (seen - base), and is `fresh` after that; the copy is owed delta = fresh - seen, which
// whoever holds it adds to what it has become. Then base = fresh: what the copy differs by from it at the next round are its
// workers' own increments and nothing else, so no increment is counted twice. With rule 1 and an atomic policy none is
// lost either, up to rounding; a racy one may overwrite an increment of a worker, or be overwritten.
// A rule below 1 averages instead of summing: the copy forgets the rest of what its workers added.
//
// Thread-safety: `buffer` is shared, the rest belongs to the caller. Source: the exchange of HogWild++ (Zhang, Hsieh, Akella,
// ICDM 2016), with two parties.
#pragma once

#include "kernels/atomic.h"
#include "kernels/prefetch.h"

#include <atomic>
#include <cstdint>

namespace hogwild {

struct ExchangeRound {
    const float* seen;
    float* base;
    float* delta; // out
    std::uint32_t count;
    float rule;
};

/// `add(coordinate, by)` returns the value after it: AddAtomically or AddRacily.
template <class Add>
void exchange(float* buffer, const ExchangeRound& round, const Add& add) {
    constexpr std::uint32_t kLine = 16, kAhead = 4 * kLine; // lines that other cores hold are on their way together
    for (std::uint32_t j = 0; j < round.count; ++j) {
        if (j % kLine == 0 && j + kAhead < round.count) prefetch_to_write(buffer + j + kAhead);
        const float push = round.rule * (round.seen[j] - round.base[j]);
        const float fresh = push != 0.0f ? add(buffer[j], push) : relaxed_load(buffer[j]);
        round.delta[j] = fresh - round.seen[j];
        round.base[j] = fresh;
    }
}

struct AddAtomically {
    float operator()(float& coordinate, float by) const {
        return std::atomic_ref<float>(coordinate).fetch_add(by, std::memory_order_relaxed) + by;
    }
};

struct AddRacily {
    float operator()(float& coordinate, float by) const {
        const float sum = relaxed_load(coordinate) + by;
        relaxed_store(coordinate, sum);
        return sum;
    }
};

} // namespace hogwild
