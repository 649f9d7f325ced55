#include "engine/plan/optimizer_traits.h"

#include "kernels/network/optimizer.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

namespace hogwild {
namespace {

template <class... Rules>
constexpr std::array<OptimizerTraits, sizeof...(Rules)> rows_of(std::type_identity<std::variant<Rules...>>) {
    return {OptimizerTraits{.name = Rules::name,
                            .state = Rules::kNumbers > 0,
                            .beta1 = Rules::kBeta1,
                            .beta2 = Rules::kBeta2,
                            .usual_beta2 = Rules::kUsualBeta2,
                            .usual_step = Rules::kUsualStep}...};
}

constexpr auto kRows = rows_of(std::type_identity<Optimizers>{});
constexpr OptimizerTraits kNoOptimizer{};

} // namespace

std::span<const OptimizerTraits> all_optimizers() { return kRows; }

const OptimizerTraits& optimizer_traits(std::string_view name) {
    const auto row = std::ranges::find(kRows, name, &OptimizerTraits::name);
    return row == kRows.end() ? kNoOptimizer : *row;
}

} // namespace hogwild
