// Every compiled kernel of coordinate descent (kernels/steps/column_steps.h), by problem, number type, policy and instruction set.
#pragma once

#include "kernels/kernels.h"
#include "kernels/steps/column_steps.h"

#include <cstdint>
#include <string_view>

namespace hogwild {

template <class Real>
struct ColumnKernels {
    using Steps = void (*)(const SparseView&, const Chunk&, const ColumnModel<Real>&);
    using Refresh = void (*)(const SparseView&, std::uint64_t, std::uint64_t, const ColumnModel<Real>&);

    PerSet<Steps> racy, atomic;
    PerSet<Refresh> refresh;
};

/// Real is float or double. Precondition: the problem is a smooth loss of the margin.
template <class Real>
const ColumnKernels<Real>& column_kernels(std::string_view problem);

} // namespace hogwild
