#include "engine/gpu/batches/group_batch_steps.h"

namespace hogwild {

GroupBatchSteps::GroupBatchSteps(GroupBatchStep step, const AnyView& there, const SampleOrder& order,
                                 const BatchFrame& frame, const Stream& stream)
    : step_(step),
      order_(order),
      stream_(stream),
      sums_(there.coordinates()),
      marks_(there.groups()),
      list_(there.groups()) {
    clear(sums_, stream.get());
    clear(marks_, stream.get());
    clear(counts_, stream.get());
    static_cast<BatchFrame&>(run_) = frame;
    run_.sums = sums_.data();
    run_.numbers = order_.numbers();
    run_.epoch = order_.epoch();
    run_.seed = order.seed;
    run_.touched = {marks_.data(), list_.data(), counts_.data(), counts_.data() + 1};
    run_.data = there;
}

void GroupBatchSteps::launch(std::uint32_t number) { check(step_(run_, number, stream_.get()), "launching a batch"); }

} // namespace hogwild
