#include "engine/measure/measure.h"

#include "engine/machine/cores.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace hogwild {

Capabilities measure_capabilities(const std::vector<unsigned>& more) {
    Capabilities capabilities;
    capabilities.line_transfer_ns = measure_line_transfer_ns();
    const std::uint64_t array_bytes = bandwidth_array_bytes();
    std::set<unsigned> sizes{1, usable_cores()};
    std::ranges::copy_if(more, std::inserter(sizes, sizes.end()),
                         [](unsigned workers) { return 1 <= workers && workers <= usable_cores(); });
    for (const unsigned workers : sizes) {
        WorkerTeam team(workers, Pin::kCores);
        if (workers == 1) capabilities.draw_ns = measure_draw_ns(team);
        capabilities.bandwidth.push_back(measure_bandwidth(team, array_bytes));
        for (const std::string_view update : catalog::names<Updates>) {
            for (const unsigned log_floats : {4U, 12U, 16U, 20U, 24U}) {
                capabilities.increments.push_back(measure_increments(team, update, std::uint64_t{1} << log_floats));
            }
        }
    }
    return capabilities;
}

} // namespace hogwild
