#include "engine/data/synthetic/zipf.h"

#include "engine/data/synthetic/alias_table.h"
#include "engine/data/synthetic/portable_math.h"

namespace hogwild {

Zipf::Zipf(std::uint32_t ranks, double exponent) : probabilities_(ranks) {
    double total = 0;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        probabilities_[rank] = portable::pow(rank + 1.0, -exponent);
        total += probabilities_[rank];
    }
    for (double& probability : probabilities_) probability /= total;
    slots_ = alias_table(probabilities_);
}

} // namespace hogwild
