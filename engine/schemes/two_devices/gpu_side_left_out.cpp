// The answer of a build without CUDA.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "engine/schemes/two_devices/gpu_side.h"

namespace hogwild {
namespace {

[[noreturn]] void refuse(const Plan& plan) {
    throw Error(Failure::kMissing, "--device " + plan.device + " cannot run", "this build is without CUDA",
                "build with -D HOGWILD_CUDA=ON, or use --device cpu");
}

} // namespace

std::unique_ptr<GpuWorkers> make_gpu_workers(const Plan& plan, const AnyView&, ParameterBuffer&, const ParameterBuffer*,
                                             std::uint64_t) {
    refuse(plan);
}

std::unique_ptr<GpuBatches> make_gpu_batches(const Plan& plan, const AnyView&, const ParameterBuffer&, std::uint64_t) {
    refuse(plan);
}

std::string why_not_dense_products() { return "this build is without CUDA"; }

} // namespace hogwild
