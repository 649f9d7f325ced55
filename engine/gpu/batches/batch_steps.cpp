#include "engine/gpu/batches/batch_steps.h"

#include "engine/gpu/batches/dense_products.h"
#include "engine/gpu/batches/group_batch_steps.h"
#include "engine/gpu/batches/network_batch_steps.h"
#include "engine/gpu/batches/sum_units.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/order/order.h"
#include "engine/plan/plan.h"
#include "kernels/cuda/batches/dense_batches.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/launches_can_overlap.h"

namespace hogwild {
namespace {

/// A coordinate's turn costs about a tenth of a nonzero's: it waits for nobody.
bool by_coordinates(const AnyView& data, std::uint32_t size) {
    const double nonzeros = static_cast<double>(data.nonzeros()) / static_cast<double>(data.rows()) * size;
    return data.coordinates() < 10 * nonzeros;
}

/// The samples of sparse rows in an epoch's order.
class TabledSteps : public BatchSteps {
public:
    void begin_epoch(std::uint32_t epoch) override {
        check(table_samples(run_.data, order_, epoch, in_order_.data(), stream_.get()), "tabling an epoch's order");
    }

protected:
    TabledSteps(const SparseView& there, const SampleOrder& order, const BatchFrame& frame, const Stream& stream)
        : order_(order), in_order_(order.rows), stream_(stream) {
        static_cast<BatchFrame&>(run_) = frame;
        run_.data = there;
        run_.samples = in_order_.data();
    }

    SampleOrder order_;
    DeviceArray<BatchSample> in_order_;
    const Stream& stream_;
    DeviceBatches run_;
};

class SparseBatchSteps : public TabledSteps {
public:
    SparseBatchSteps(BatchStep step, bool by_coordinates, const SparseView& there, const SampleOrder& order,
                     const BatchFrame& frame, const Stream& stream)
        : TabledSteps(there, order, frame, stream),
          step_(step),
          sums_(there.columns),
          slopes_(by_coordinates ? 0 : frame.size) {
        clear(sums_, stream.get());
        run_.sums = sums_.data();
        run_.slopes = slopes_.data();
    }

    void launch(std::uint32_t number) override { check(step_(run_, number, stream_.get()), "launching a batch"); }

private:
    BatchStep step_;
    DeviceArray<long long> sums_;
    DeviceArray<float> slopes_;
};

class DenseBatchSteps : public TabledSteps {
public:
    DenseBatchSteps(BatchStep slopes, const SparseView& there, const SampleOrder& order, const BatchFrame& frame,
                    const Stream& stream)
        : TabledSteps(there, order, frame, stream),
          make_slopes_(slopes),
          products_(stream),
          rows_(std::size_t{frame.size} * there.columns),
          slopes_(frame.size) {
        clear(rows_, stream.get()); // what an epoch's last batch leaves out must be finite
        clear(slopes_, stream.get());
        run_.rows = rows_.data();
        run_.slopes = slopes_.data();
        multiply(); // cuBLAS loads its code before it is captured; zeros change nothing
        add();
    }

    void launch(std::uint32_t number) override {
        check(gather_rows(run_, number, stream_.get()), "gathering a batch");
        multiply();
        check(make_slopes_(run_, number, stream_.get()), "the slopes of a batch");
        add();
    }

private:
    DenseRows matrix() const { return {rows_.data(), run_.size, run_.data.columns}; }
    void multiply() const { products_.multiply(matrix(), run_.weights, slopes_.data()); }
    void add() const { products_.add_multiples(matrix(), slopes_.data(), run_.weights); }

    BatchStep make_slopes_;
    DenseProducts products_;
    DeviceArray<float> rows_;
    DeviceArray<float> slopes_; // first the margins
};

} // namespace

std::unique_ptr<BatchSteps> make_batch_steps(const Plan& plan, const AnyView& data, const AnyView& there,
                                             const BatchFrame& given, const Stream& stream) {
    const DeviceKernels& kernels =
        *with_problem(plan.problem, []<class Problem>(Problem) { return &device_kernels<Problem>(); });
    const SampleOrder order = sample_order(plan.order, data, plan.seed);
    BatchFrame frame = given;
    frame.overlaps = launches_can_overlap();
    if (kernels.network_batch_step != nullptr)
        return std::make_unique<NetworkBatchSteps>(kernels.network_batch_step, plan, there, order, frame, stream);
    if (data.dense())
        return std::make_unique<DenseBatchSteps>(kernels.batch_slopes, there.as<SparseView>(), order, frame, stream);
    frame.unit = unit_of(data, there, frame.size, stream);
    if (kernels.group_batch_step != nullptr)
        return std::make_unique<GroupBatchSteps>(kernels.group_batch_step, there, order, frame, stream);
    return std::make_unique<SparseBatchSteps>(kernels.batch_step, by_coordinates(data, frame.size),
                                              there.as<SparseView>(), order, frame, stream);
}

} // namespace hogwild
