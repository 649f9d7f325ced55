#include "engine/schemes/kernels/column_kernels.h"

namespace hogwild {
namespace {

template <class Problem, class Margins, class Real>
struct StepsBody {
    template <class Lanes>
    static void run(const SparseView& columns, const Chunk& chunk, const ColumnModel<Real>& model) {
        column_steps<Problem, Margins, Lanes>(columns, chunk, model);
    }
};

template <class Real>
struct RefreshBody {
    template <class Lanes>
    static void run(const SparseView& samples, std::uint64_t begin, std::uint64_t end, const ColumnModel<Real>& model) {
        refresh_margins<Lanes>(samples, begin, end, model);
    }
};

template <class Problem, class Margins, class Real>
constexpr auto steps_on_all_sets() {
    return kernel_table::on_all_sets<StepsBody<Problem, Margins, Real>, const SparseView&, const Chunk&,
                                     const ColumnModel<Real>&>();
}

} // namespace

template <class Real>
const ColumnKernels<Real>& column_kernels(std::string_view problem) {
    return with_linear_problem(problem, []<class Problem>(Problem) -> const ColumnKernels<Real>& {
        if constexpr (Problem::curvature > 0) {
            static constexpr ColumnKernels<Real> kKernels{
                steps_on_all_sets<Problem, RacyMargins, Real>(), steps_on_all_sets<Problem, AtomicMargins, Real>(),
                kernel_table::on_all_sets<RefreshBody<Real>, const SparseView&, std::uint64_t, std::uint64_t,
                                          const ColumnModel<Real>&>()};
            return kKernels;
        } else {
            static constexpr ColumnKernels<Real> kNone{};
            return kNone;
        }
    });
}

template const ColumnKernels<float>& column_kernels<float>(std::string_view);
template const ColumnKernels<double>& column_kernels<double>(std::string_view);

} // namespace hogwild
