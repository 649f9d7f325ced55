#include "engine/plan/derived/usual.h"

#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/optimizer_traits.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"
#include "kernels/network/optimizer.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {

std::string home_of(std::string_view device) { return std::string(choice_named(kDeviceTraits, device).home); }

unsigned usual_threads(const Plan& plan, unsigned cores) {
    const bool both = on_both(plan) && means::device(plan);
    const unsigned others = both ? gpu_workers(plan) + bridges(plan) + 1 : 0;
    return cores > others ? cores - others : 1;
}

std::uint32_t usual_hot(const Plan& plan, std::uint32_t dense_columns) {
    if (hot_traits(plan).elsewhere && !device_traits(plan).gpu)
        return is_linear(plan.problem) ? kHotOfThreads : kHotOfGroups;
    const bool copies =
        is_linear(plan.problem) && device_traits(plan).gpu && update_traits(plan).adds() && !counts_all(plan);
    return copies && dense_columns <= kHotOfBlocks && plan.gpu.streams * plan.gpu.blocks >= kBlocksOfHot ? kHotOfBlocks
                                                                                                         : 0;
}

std::string usual_beta2s() {
    std::vector<std::string> each;
    for (const std::string_view name : catalog::names<Optimizers>) {
        if (const OptimizerTraits of = optimizer_traits(name); of.beta2)
            each.push_back(fmt::format("{}", of.usual_beta2));
    }
    return fmt::format("{}", fmt::join(each, " and "));
}

std::string usual_placement(const Plan& plan, std::uint32_t dense_columns) {
    const bool owned = device_traits(plan).gpu || hot_traits(plan).elsewhere; // by threads or by blocks
    if (plan.hot.count > 0 && owned && is_linear(plan.problem) && means::hot(plan)) return "hot-first";
    const bool sparse = is_linear(plan.problem) && dense_columns == 0;
    if (scheme_traits(plan).exchanges() && is_linear(plan.problem)) return "hottest";
    return gpu_workers(plan) > 0 && sparse ? "scattered" : "stored";
}

void suit_placement(Plan& plan) {
    if (places_hot(plan) && !device_traits(plan).gpu && plan.hot.count == 0) plan.hot.count = kHotOfThreads;
}

} // namespace hogwild
