// The quantiles that are reported of a distribution of staleness. Thread-safety: a pure function.
#pragma once

#include "engine/record/outcome.h"
#include "kernels/numbers/histogram.h"

namespace hogwild {

/// An empty histogram gives kNone everywhere.
inline StalenessSummary summary(const Histogram& histogram) {
    StalenessSummary s;
    if (histogram.count() == 0) return s;
    s.count = histogram.count();
    s.mean = static_cast<double>(histogram.sum()) / static_cast<double>(histogram.count());
    s.median = static_cast<double>(histogram.quantile(0.5));
    s.p90 = static_cast<double>(histogram.quantile(0.9));
    s.p99 = static_cast<double>(histogram.quantile(0.99));
    s.p999 = static_cast<double>(histogram.quantile(0.999));
    s.max = static_cast<double>(histogram.max());
    histogram.each([&](std::uint64_t from, std::uint64_t to, std::uint64_t steps) {
        s.counts.push_back({from, to, steps});
    });
    return s;
}

} // namespace hogwild
