#include "engine/schemes/kernels/thinned_kernels.h"

#include <concepts>
#include <cstddef>
#include <variant>

namespace hogwild {
namespace {

template <class Problem, class Update>
struct ThinnedBody {
    template <class Lanes>
    static void run(const SparseView& data, const Chunk& chunk, const Thinning& thinning, WorkerContext& context) {
        thinned_steps<Problem, Lanes, Update>(data, chunk, thinning, context);
    }
};

template <class Problem, class Update>
constexpr PerSet<ThinnedSteps> on_all_sets() {
    if constexpr (std::same_as<Update, Noop>)
        return {};
    else
        return kernel_table::on_all_sets<ThinnedBody<Problem, Update>, const SparseView&, const Chunk&, const Thinning&,
                                         WorkerContext&>();
}

} // namespace

ThinnedSteps thinned_kernel(std::string_view problem, std::string_view update, InstructionSet set) {
    return with_linear_problem(problem, [&]<class Problem>(Problem) {
        return std::visit(
            [&]<class Update>(const Update&) { return on_all_sets<Problem, Update>()[static_cast<std::size_t>(set)]; },
            catalog::make<Updates>(update));
    });
}

} // namespace hogwild
