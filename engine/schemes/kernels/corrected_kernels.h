// Every compiled kernel of corrected steps (kernels/steps/variance_reduction.h), by problem, number type and instruction set.
#pragma once

#include "kernels/kernels.h"
#include "kernels/steps/variance_reduction.h"

#include <cstdint>
#include <string_view>

namespace hogwild {

template <class Real>
struct CorrectedKernels {
    using Steps = void (*)(const SparseView&, const Chunk&, const Remembered<Real>&);
    using Remember = void (*)(const SparseView&, std::uint64_t, std::uint64_t, const Remembered<Real>&, Real*);

    PerSet<Steps> at_anchor, at_visit, at_visit_of_many;
    PerSet<Remember> remember;
};

/// Real is float or double. Precondition: the problem is a smooth loss of the margin.
template <class Real>
const CorrectedKernels<Real>& corrected_kernels(std::string_view problem);

} // namespace hogwild
