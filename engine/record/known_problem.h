// From a problem's name to its type, with the answer a user needs when the name is unknown.
#pragma once

#include "engine/error.h"
#include "kernels/catalog.h"

#include <string>
#include <string_view>
#include <utility>

namespace hogwild {

/// Calls f(P{}) for the problem of that name; throws Error (Failure::kUsage) listing the known names otherwise.
template <class F>
decltype(auto) with_known_problem(std::string_view name, F&& f) {
    if (catalog::find<Problems>(name) == std::variant_size_v<Problems>) {
        std::string known;
        for (const std::string_view candidate : catalog::names<Problems>) {
            known += (known.empty() ? "" : ", ") + std::string(candidate);
        }
        throw Error(Failure::kUsage, "unknown problem '" + std::string(name) + "'", "known: " + known,
                    "choose one of these");
    }
    return with_problem(name, std::forward<F>(f));
}

} // namespace hogwild
