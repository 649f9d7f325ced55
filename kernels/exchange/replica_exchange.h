// One exchange between a worker's replica of a model and the model that all workers share, over a range of coordinates.
//
// `base` is what the replica was after the last exchange, so own - base is what this worker has moved it by since. The
// shared coordinate receives a share of that, and replica and base become what it is then:
//
//   shared = grown x shared + share x (own - base);   own = base = shared
//
// With share 1 nothing is lost, up to rounding, and nothing counts twice. The rest of a share below 1 is forgotten: kernels/
// sequential_share.h says what for. As much is forgotten of what L2 did in those steps, which is in no increment but in the scale
// of all coordinates (kernels/patterns/sparse_rows.h):
//
//   grown = 1 + (1 - share) x lambda x sum of steps
//
// Without it M replicas that average would come to the optimum of M times lambda.
//
// Thread-safety: one exchange at a time of a shared line, by a lock of the caller's. Others may read it meanwhile: relaxed
// loads and stores, element by element.
#pragma once

#include "kernels/exchange/sequential_share.h"
#include "kernels/lanes/exchange_line.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

struct ReplicaExchange {
    static constexpr std::uint32_t kLine = kExchangeLine;

    float* shared; // 64-byte aligned, as the others are, which have whole lines
    float* own;
    float* base;
    const float* curvatures;       // of each line; null: `share` is every line's
    const SequentialShare* shares; // with curvatures
    float share = 1;
    float l2 = 0; // lambda

    /// Coordinates [begin, end), begin a line's first, which this worker has stepped on by so much: samples x step.
    template <class Lanes>
    void over(std::uint32_t begin, std::uint32_t end, float stepped) const {
        for (std::uint32_t j = begin; j < end; j += kLine) {
            const float part = curvatures == nullptr ? share : (*shares)(stepped * curvatures[j / kLine]);
            const float grown = 1 + (1 - part) * l2 * stepped;
            exchange_line(Lanes{}, shared + j, own + j, base + j, part, grown, std::min(kLine, end - j));
        }
    }
};

struct ReplicaExchangeBody {
    template <class Lanes>
    static void run(const ReplicaExchange& exchange, std::uint32_t begin, std::uint32_t end, float stepped) {
        exchange.over<Lanes>(begin, end, stepped);
    }
};

} // namespace hogwild
