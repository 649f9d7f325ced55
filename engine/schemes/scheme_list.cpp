// The one list of schemes, and what is asked of all of them.
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"

#include <algorithm>
#include <array>

namespace hogwild {
namespace {

#define HOGWILD_ADDRESS_OF(row) &(row),
constinit const SchemeTraits* const kSchemeTraits[] = {HOGWILD_SCHEMES(HOGWILD_ADDRESS_OF)};
#undef HOGWILD_ADDRESS_OF

constinit const SchemeTraits kNoScheme{};

} // namespace

std::span<const SchemeTraits* const> all_schemes() { return kSchemeTraits; }

const SchemeTraits& scheme_traits(std::string_view name) {
    const auto* const row = std::ranges::find(kSchemeTraits, name, &SchemeTraits::name);
    return row == std::end(kSchemeTraits) ? kNoScheme : **row;
}

const SchemeTraits& scheme_traits(const Plan& plan) { return scheme_traits(plan.scheme); }

bool has_own_states(const Plan& plan) {
    const SchemeTraits& scheme = scheme_traits(plan);
    return scheme.replicas == Replication::kPerWorker || (scheme.optimizer_states && state_traits(plan).per_worker);
}

std::string_view kind_of(std::string_view scheme) {
    return kKinds[static_cast<std::size_t>(scheme_traits(scheme).kind)];
}

std::span<const std::string_view> scheme_names() {
    static const auto kNames = [] {
        std::array<std::string_view, std::size(kSchemeTraits)> names;
        std::ranges::transform(kSchemeTraits, names.begin(), &SchemeTraits::name);
        return names;
    }();
    return kNames;
}

std::unique_ptr<Scheme> make_scheme(std::string_view name) {
    const auto make = scheme_traits(name).make;
    return make == nullptr ? nullptr : make();
}

} // namespace hogwild
