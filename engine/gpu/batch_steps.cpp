#include "engine/gpu/batch_steps.h"

#include "engine/gpu/dense_products.h"
#include "kernels/cuda/dense_batches.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/magnitude.h"

namespace hogwild {
namespace {

/// A coordinate's turn costs about a tenth of a nonzero's: it waits for nobody.
bool by_coordinates(const SparseView& data, std::uint32_t size) {
    const double nonzeros = static_cast<double>(data.nonzeros()) / static_cast<double>(data.rows) * size;
    return data.columns < 10 * nonzeros;
}

/// The slope of hinge and logistic loss is at most 1, that of squared loss about the label. `data`: in device memory.
SumUnit unit_of(const SparseView& data, std::uint64_t nonzeros, std::uint32_t size, const Stream& stream) {
    return SumUnit::of(size, largest_magnitude(data.values, nonzeros, stream.get()),
                       largest_magnitude(data.labels, data.rows, stream.get()));
}

class SparseBatchSteps : public BatchSteps {
public:
    SparseBatchSteps(BatchStep step, const SparseView& data, const DeviceBatches& run, const Stream& stream)
        : step_(step),
          run_(run),
          stream_(stream),
          sums_(data.columns),
          slopes_(by_coordinates(data, run.size) ? 0 : run.size) {
        clear(sums_, stream.get());
        run_.sums = sums_.data();
        run_.unit = unit_of(run.data, data.nonzeros(), run.size, stream);
        run_.slopes = slopes_.data();
        run_.overlaps = launches_can_overlap();
    }

    void launch(std::uint32_t number) override { check(step_(run_, number, stream_.get()), "launching a batch"); }

private:
    BatchStep step_;
    DeviceBatches run_;
    const Stream& stream_;
    DeviceArray<long long> sums_;
    DeviceArray<float> slopes_;
};

class DenseBatchSteps : public BatchSteps {
public:
    DenseBatchSteps(BatchStep slopes, const DeviceBatches& run, const Stream& stream)
        : make_slopes_(slopes),
          run_(run),
          stream_(stream),
          products_(stream),
          rows_(std::size_t{run.size} * run.data.columns),
          slopes_(run.size) {
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
    DeviceBatches run_;
    const Stream& stream_;
    DenseProducts products_;
    DeviceArray<float> rows_;
    DeviceArray<float> slopes_; // first the margins
};

} // namespace

std::unique_ptr<BatchSteps> make_batch_steps(std::string_view problem, const SparseView& data, const DeviceBatches& run,
                                             const Stream& stream) {
    const DeviceKernels& kernels =
        *with_linear_problem(problem, []<class Problem>(Problem) { return &device_kernels<Problem>(); });
    if (data.dense()) return std::make_unique<DenseBatchSteps>(kernels.batch_slopes, run, stream);
    return std::make_unique<SparseBatchSteps>(kernels.batch_step, data, run, stream);
}

} // namespace hogwild
