#include "experiments/machine/capabilities_json.h"

#include "experiments/text/json.h"

namespace hogwild {

Json capabilities_json(const Capabilities& can) {
    Json bandwidth = Json::array(), increments = Json::array();
    for (const Bandwidth& of : can.bandwidth) {
        bandwidth.push_back({{"workers", of.workers},
                             {"array_bytes", of.array_bytes},
                             {"read_bytes_per_second", of.read},
                             {"triad_bytes_per_second", of.triad}});
    }
    for (const IncrementRate& rate : can.increments) {
        increments.push_back({{"update", rate.update},
                              {"workers", rate.workers},
                              {"floats", rate.floats},
                              {"per_second", rate.per_second},
                              {"kept", optional_json(rate.kept)},
                              {"issued", rate.issued},
                              {"dropped", rate.dropped}});
    }
    return {{"bandwidth", bandwidth},
            {"line_transfer_ns", optional_json(can.line_transfer_ns)},
            {"draw_ns", can.draw_ns},
            {"increments", increments}};
}

} // namespace hogwild
