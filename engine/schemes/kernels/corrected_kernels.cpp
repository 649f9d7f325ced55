#include "engine/schemes/kernels/corrected_kernels.h"

namespace hogwild {
namespace {

template <class Problem, class When, class Real>
struct StepsBody {
    template <class Lanes>
    static void run(const SparseView& data, const Chunk& chunk, const Remembered<Real>& memory) {
        corrected_steps<Problem, When, Lanes>(data, chunk, memory);
    }
};

template <class Problem, class Real>
struct RememberBody {
    template <class Lanes>
    static void run(const SparseView& data, std::uint64_t begin, std::uint64_t end, const Remembered<Real>& memory,
                    Real* sums) {
        remember<Problem, Lanes>(data, begin, end, memory, sums);
    }
};

template <class Problem, class When, class Real>
constexpr auto steps_on_all_sets() {
    return kernel_table::on_all_sets<StepsBody<Problem, When, Real>, const SparseView&, const Chunk&,
                                     const Remembered<Real>&>();
}

} // namespace

template <class Real>
const CorrectedKernels<Real>& corrected_kernels(std::string_view problem) {
    return with_linear_problem(problem, []<class Problem>(Problem) -> const CorrectedKernels<Real>& {
        if constexpr (Problem::curvature > 0) {
            static constexpr CorrectedKernels<Real> kKernels{
                steps_on_all_sets<Problem, AtAnchor, Real>(), steps_on_all_sets<Problem, AtVisit, Real>(),
                steps_on_all_sets<Problem, AtVisitOfMany, Real>(),
                kernel_table::on_all_sets<RememberBody<Problem, Real>, const SparseView&, std::uint64_t, std::uint64_t,
                                          const Remembered<Real>&, Real*>()};
            return kKernels;
        } else {
            static constexpr CorrectedKernels<Real> kNone{};
            return kNone;
        }
    });
}

template const CorrectedKernels<float>& corrected_kernels<float>(std::string_view);
template const CorrectedKernels<double>& corrected_kernels<double>(std::string_view);

} // namespace hogwild
