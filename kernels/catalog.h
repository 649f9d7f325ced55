// The registry: type lists. A name on the command line, a gradient check, a kernel for every policy and a benchmark row
// follow from an entry here. An unknown name is answered with the known ones.
//
// To add a problem: one header under kernels/problems/, its include and its entry in `Problems`. To add an update policy: one
// header under kernels/updates/, its include and its entry in `Updates`; for a GPU see kernels/cuda/updates/catalog.cuh.
#pragma once

#include "kernels/problem.h"
#include "kernels/problems/cut.h"
#include "kernels/problems/factorization.h"
#include "kernels/problems/hinge.h"
#include "kernels/problems/logistic.h"
#include "kernels/problems/network.h"
#include "kernels/problems/skipgram.h"
#include "kernels/problems/squared.h"
#include "kernels/updates/atomic_add.h"
#include "kernels/updates/cas_bounded.h"
#include "kernels/updates/noop.h"
#include "kernels/updates/racy.h"
#include "kernels/updates/traits.h"

#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace hogwild {

using Problems = std::variant<Hinge, Logistic, Squared, Factorization, Cut, SkipGram, Network>;
using Updates = std::variant<Racy, AtomicAdd, CasBounded, Noop>;

namespace catalog {

template <class List>
struct Linear;

template <class... Entries>
struct Linear<std::variant<Entries...>> {
    template <class... Kept>
    static std::variant<Kept...> entries(std::tuple<Kept...>);
    using type = decltype(entries(
        std::tuple_cat(std::conditional_t<LinearProblem<Entries>, std::tuple<Entries>, std::tuple<>>{}...)));
};

template <class List>
struct Names;

template <class... Entries>
struct Names<std::variant<Entries...>> {
    static constexpr std::array<std::string_view, sizeof...(Entries)> value{Entries::name...};
};

/// The entries' names, in order.
template <class List>
inline constexpr auto names = Names<List>::value;

template <class List>
struct Traits;

template <class... Entries>
struct Traits<std::variant<Entries...>> {
    static constexpr std::array value{Entries::kTraits...};
};

/// Position of `name` in the list; its size when unknown.
template <class List>
constexpr std::size_t find(std::string_view name) {
    std::size_t i = 0;
    while (i < names<List>.size() && names<List>[i] != name) ++i;
    return i;
}

/// What the entry of that name says of itself. Precondition: find<List>(name) < names<List>.size().
template <class List>
constexpr const auto& traits(std::string_view name) {
    return Traits<List>::value[find<List>(name)];
}

/// A default-made entry of that name. Precondition: find<List>(name) < names<List>.size().
template <class List, std::size_t I = 0>
constexpr List make(std::string_view name) {
    if constexpr (I + 1 == std::variant_size_v<List>) {
        return List(std::in_place_index<I>);
    } else {
        return names<List>[I] == name ? List(std::in_place_index<I>) : make<List, I + 1>(name);
    }
}

} // namespace catalog

/// Those of `Problems` that are losses of the margin (kernels/problem.h).
using LinearProblems = catalog::Linear<Problems>::type;

/// Calls f(P{}) for the problem of that name. Precondition: the name is in the catalog.
template <class F>
decltype(auto) with_problem(std::string_view name, F&& f) {
    return std::visit(std::forward<F>(f), catalog::make<Problems>(name));
}

/// What holds of the update policy of that name. Precondition: the name is in the catalog.
constexpr const UpdateTraits& update_traits(std::string_view name) { return catalog::traits<Updates>(name); }

constexpr bool is_linear(std::string_view name) {
    return catalog::find<LinearProblems>(name) < std::variant_size_v<LinearProblems>;
}

/// Calls f(P{}) for the linear problem of that name. Precondition: is_linear.
template <class F>
decltype(auto) with_linear_problem(std::string_view name, F&& f) {
    return std::visit(std::forward<F>(f), catalog::make<LinearProblems>(name));
}

} // namespace hogwild
