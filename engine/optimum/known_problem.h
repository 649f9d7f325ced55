// From a problem's name to its type, with the answer a user needs when the name is unknown.
#pragma once

#include "engine/error.h"
#include "kernels/catalog.h"

#include <string>
#include <string_view>
#include <utility>

namespace hogwild {

/// Throws Error (Failure::kUsage) for a name that the list does not have.
template <class List>
void check_known(std::string_view name, std::string_view kind) {
    if (catalog::find<List>(name) < std::variant_size_v<List>) return;
    std::string known;
    for (const std::string_view candidate : catalog::names<List>)
        known += (known.empty() ? "" : ", ") + std::string(candidate);
    throw Error(Failure::kUsage, "unknown " + std::string(kind) + " '" + std::string(name) + "'", "known: " + known,
                "choose one of these");
}

/// Calls f(P{}) for the problem of that name. Errors: those of check_known.
template <class F>
decltype(auto) with_known_problem(std::string_view name, F&& f) {
    check_known<Problems>(name, "problem");
    return with_problem(name, std::forward<F>(f));
}

/// Calls f(P{}) for the loss of the margin of that name. Errors: those of check_known.
template <class F>
decltype(auto) with_known_linear_problem(std::string_view name, F&& f) {
    check_known<LinearProblems>(name, "linear problem");
    return with_linear_problem(name, std::forward<F>(f));
}

} // namespace hogwild
