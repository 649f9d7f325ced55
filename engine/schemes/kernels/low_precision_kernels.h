// Every compiled kernel of steps on short numbers (kernels/patterns/low_precision_steps.h), by problem, number, rounding and instruction set.
#pragma once

#include "kernels/kernels.h"
#include "kernels/patterns/low_precision_steps.h"

#include <array>
#include <string_view>

namespace hogwild {

template <class Number>
struct LowPrecisionKernels {
    using Steps = void (*)(const SparseView&, const Chunk&, const Cells<Number>&);

    std::array<PerSet<Steps>, kRoundings> by_rounding;
};

/// Number is Bf16, Fp16 or Int8. Precondition: is_linear(problem).
template <class Number>
const LowPrecisionKernels<Number>& low_precision_kernels(std::string_view problem);

} // namespace hogwild
