#include "engine/gpu/batches/network_batch_steps.h"

#include "kernels/cuda/network/network_phases.h"

namespace hogwild {

NetworkBatchSteps::NetworkBatchSteps(NetworkBatchStep step, const Plan& plan, const AnyView& there,
                                     const SampleOrder& order, const BatchFrame& frame, const Stream& stream)
    : step_(step), order_(order), stream_(stream), optimizer_(plan, there.coordinates(), 1) {
    static_cast<BatchFrame&>(run_) = frame;
    run_.data = DeviceImages(there.as<ImagesView>());
    run_.teams.most = frame.size;
    run_.teams.parts = kMostParts;
    const NetworkShape& network = run_.data.network();
    run_.teams.fused = fused_layers(network, false);
    run_.teams.tiles = DenseTiles(network, frame.size, kLaunchedSquads, joins_scores(run_.teams.fused, network));
    run_.teams.seed = order.seed;
    run_.teams.floats = TeamMemory::size(run_.data, run_.teams);
    memory_ = DeviceArray<float>(run_.teams.floats);
    run_.teams.memory = memory_.data();
    run_.teams.optimizer = optimizer_.from(0);
    run_.numbers = order_.numbers();
    run_.epoch = order_.epoch();
}

void NetworkBatchSteps::launch(std::uint32_t number) { check(step_(run_, number, stream_.get()), "launching a batch"); }

} // namespace hogwild
