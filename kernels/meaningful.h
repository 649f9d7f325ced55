// Which combinations of update policy, guard and probe mean something for a problem; no others are compiled.
//
//   guard      goes with
//   none       every policy and probe
//   counted    racy and atomic, of steps that may be told where to read and write and that none does not count already
//   publish    racy, of steps that may be told where to read and write; not the exact meter, since it loses nothing that one counts
//   in-turn    racy (it is round-robin's)
//   others     racy, since they order writers
#pragma once

#include "kernels/catalog.h"
#include "kernels/guards.h"
#include "kernels/probes/exact.h"
#include "kernels/steps/steps.h"

#include <concepts>

namespace hogwild::kernel_table {

template <class P, class Update, class Guard, class Probe>
constexpr bool is_meaningful() {
    if constexpr (std::same_as<Guard, NoGuard>) return true;
    using Pattern = typename P::Pattern;
    if constexpr (std::same_as<Guard, Counted>)
        return Guided<Pattern> && !TouchesAll<Pattern> &&
               (std::same_as<Update, Racy> || std::same_as<Update, AtomicAdd>);
    if constexpr (std::same_as<Guard, Publish>) {
        if (!Guided<Pattern> || std::same_as<Probe, ExactProbe>) return false;
    }
    return std::same_as<Update, Racy>;
}

} // namespace hogwild::kernel_table
