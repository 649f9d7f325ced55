#include "engine/gpu/network_batch_steps.h"

namespace hogwild {

NetworkBatchSteps::NetworkBatchSteps(NetworkBatchStep step, const AnyView& there, const SampleOrder& order,
                                     const BatchFrame& frame, const Stream& stream)
    : step_(step), order_(order), stream_(stream), numbers_(order.rows) {
    constexpr std::uint32_t kMostParts = 64; // of a convolution's gradient: enough for a device's blocks
    static_cast<BatchFrame&>(run_) = frame;
    run_.data = there.as<ImagesView>();
    run_.teams = {frame.size, kMostParts, false, order.seed};
    run_.teams.floats = TeamMemory::size(run_.data, run_.teams);
    memory_ = DeviceArray<float>(run_.teams.floats);
    run_.teams.memory = memory_.data();
    run_.numbers = numbers_.data();
    run_.epoch = epoch_.data();
}

void NetworkBatchSteps::begin_epoch(std::uint32_t epoch) {
    *staged_.data() = epoch;
    check(cudaMemcpyAsync(epoch_.data(), staged_.data(), sizeof(epoch), cudaMemcpyHostToDevice, stream_.get()),
          "sending an epoch's number");
    check(table_numbers(order_, epoch, numbers_.data(), stream_.get()), "tabling an epoch's order");
}

void NetworkBatchSteps::launch(std::uint32_t number) { check(step_(run_, number, stream_.get()), "launching a batch"); }

} // namespace hogwild
