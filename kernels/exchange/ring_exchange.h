// One exchange between a cluster's model and the next one's on a ring of clusters, over a range of coordinates.
//
// `base` is what the model was after its cluster's last exchange. So delta = own - base is what its workers, and the
// exchanges of the cluster before, have moved it by since. Both models receive beta x delta, and the own one moves
// towards where the next one was after its cluster's last exchange:
//
//   next += beta x delta;   own = base = base + lambda (next_base - base) + beta x delta
//
// A coordinate that does not change is not written.
//
// Thread-safety: one exchange of a ring at a time. Workers may step on both models meanwhile: loads and stores are
// relaxed, element by element. As two workers of Hogwild do, the exchange and a worker may lose increments at a
// coordinate:
//
//   - `next`: what its workers add between the exchange's load and store is lost, however much. Where that store falls
//     between a worker's load and store, the push beta x delta is lost instead. One worker loses at most one of the
//     two, and nothing counts twice. A share 1 - beta of each increment in delta is in the bases by then, whatever is
//     lost.
//   - `own`, where several workers share it: what they add between the exchange's load and store is lost, or the
//     exchange's store is. In that case own keeps what the exchange took off it, (1 - beta) delta - lambda (next_base -
//     base), which counts twice.
#pragma once

#include "kernels/exchange/store_changed.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

struct RingWeights {
    float beta, lambda;
};

struct RingExchange {
    static constexpr std::uint32_t kLine = kLineOfSome;

    float* own;
    float* base; // of whole lines, as next_base
    float* next;
    const float* next_base;
    RingWeights weights;

    /// Coordinates [begin, end), begin a line's first.
    template <class Lanes>
    void over(std::uint32_t begin, std::uint32_t end) const {
        for (std::uint32_t j = begin; j < end; j += kLine) {
            const std::uint32_t size = std::min(kLine, end - j);
            alignas(64) float fresh[kLine] = {}, push[kLine];
            Lanes::copy_row(fresh, own + j, size);
            std::uint32_t moved = 0, apart = 0; // coordinates, a bit each
            for (std::uint32_t k = 0; k < kLine; ++k) {
                push[k] = weights.beta * (fresh[k] - base[j + k]);
                moved |= std::uint32_t{push[k] != 0.0f} << k;
                apart |= std::uint32_t{next_base[j + k] != base[j + k]} << k;
            }
            if ((moved | apart) == 0) continue;
            for (std::uint32_t k = 0; k < kLine; ++k)
                fresh[k] = base[j + k] + weights.lambda * (next_base[j + k] - base[j + k]) + push[k];
            std::copy_n(fresh, size, base + j);
            store_some<Lanes>(own + j, fresh, moved | apart, size);
            if (moved == 0) continue;
            Lanes::copy_row(fresh, next + j, size);
            for (std::uint32_t k = 0; k < kLine; ++k) fresh[k] += push[k];
            store_some<Lanes>(next + j, fresh, moved, size);
        }
    }
};

struct RingExchangeBody {
    template <class Lanes>
    static void run(const RingExchange& exchange, std::uint32_t begin, std::uint32_t end) {
        exchange.over<Lanes>(begin, end);
    }
};

} // namespace hogwild
