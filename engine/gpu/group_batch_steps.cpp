#include "engine/gpu/group_batch_steps.h"

namespace hogwild {

GroupBatchSteps::GroupBatchSteps(GroupBatchStep step, const AnyView& there, const SampleOrder& order,
                                 const BatchFrame& frame, const Stream& stream)
    : step_(step),
      order_(order),
      stream_(stream),
      sums_(there.coordinates()),
      numbers_(order.rows),
      marks_(there.groups()),
      list_(there.groups()) {
    clear(sums_, stream.get());
    clear(marks_, stream.get());
    clear(counts_, stream.get());
    static_cast<BatchFrame&>(run_) = frame;
    run_.sums = sums_.data();
    run_.numbers = numbers_.data();
    run_.epoch = epoch_.data();
    run_.seed = order.seed;
    run_.touched = {marks_.data(), list_.data(), counts_.data(), counts_.data() + 1};
    run_.data = there;
}

void GroupBatchSteps::begin_epoch(std::uint32_t epoch) {
    *staged_.data() = epoch;
    check(cudaMemcpyAsync(epoch_.data(), staged_.data(), sizeof(epoch), cudaMemcpyHostToDevice, stream_.get()),
          "sending an epoch's number");
    check(table_numbers(order_, epoch, numbers_.data(), stream_.get()), "tabling an epoch's order");
}

void GroupBatchSteps::launch(std::uint32_t number) { check(step_(run_, number, stream_.get()), "launching a batch"); }

} // namespace hogwild
