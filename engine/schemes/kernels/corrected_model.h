// A model of corrected steps (kernels/steps/variance_reduction.h), and what is remembered of its samples.
//
// The model is the run's buffer. Thread-safety: that of the steps.
#pragma once

#include "engine/data/statistics.h"
#include "engine/memory/pages.h"
#include "engine/plan/plan.h"
#include "engine/schemes/kernels/real_of.h"
#include "engine/schemes/scheme.h"
#include "kernels/steps/variance_reduction.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

template <class Real>
class CorrectedModel {
public:
    explicit CorrectedModel(Job& job)
        : slopes_(job.data.rows()),
          mean_(job.data.coordinates()),
          spread_(job.data.coordinates()),
          memory_{weights_of<Real>(job.buffer),
                  slopes_.data(),
                  mean_.data(),
                  spread_.data(),
                  job.plan.l2,
                  job.plan.l1,
                  job.data.rows()} {
        std::ranges::fill(slopes_.span(), Real(0)); // no page fault on the clock
        std::ranges::fill(mean_.span(), Real(0));
        const auto rows = static_cast<double>(job.data.rows());
        std::ranges::transform(group_counts(job.data), spread_.data(), [&](std::uint64_t count) {
            return count == 0 ? Real(0) : static_cast<Real>(rows / static_cast<double>(count));
        });
    }

    const Remembered<Real>& memory() const { return memory_; }

private:
    PageArray<Real> slopes_, mean_, spread_;
    Remembered<Real> memory_;
};

} // namespace hogwild
