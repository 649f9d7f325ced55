#include "engine/schemes/kernels/low_precision_kernels.h"

#include "kernels/numbers/int8.h"

namespace hogwild {
namespace {

template <class Problem, Rounding kRounding, class Number>
struct StepsBody {
    template <class Lanes>
    static void run(const SparseView& data, const Chunk& chunk, const Cells<Number>& cells) {
        low_precision_steps<Problem, kRounding, Lanes>(data, chunk, cells);
    }
};

template <class Problem, Rounding kRounding, class Number>
constexpr auto steps_on_all_sets() {
    return kernel_table::on_all_sets<StepsBody<Problem, kRounding, Number>, const SparseView&, const Chunk&,
                                     const Cells<Number>&>();
}

} // namespace

template <class Number>
const LowPrecisionKernels<Number>& low_precision_kernels(std::string_view problem) {
    return with_linear_problem(problem, []<class Problem>(Problem) -> const LowPrecisionKernels<Number>& {
        static constexpr LowPrecisionKernels<Number> kKernels{
            {steps_on_all_sets<Problem, Rounding::kUnbiased, Number>(),
             steps_on_all_sets<Problem, Rounding::kShared, Number>(),
             steps_on_all_sets<Problem, Rounding::kNearest, Number>()}};
        return kKernels;
    });
}

template const LowPrecisionKernels<Bf16>& low_precision_kernels<Bf16>(std::string_view);
template const LowPrecisionKernels<Fp16>& low_precision_kernels<Fp16>(std::string_view);
template const LowPrecisionKernels<Int8>& low_precision_kernels<Int8>(std::string_view);

} // namespace hogwild
