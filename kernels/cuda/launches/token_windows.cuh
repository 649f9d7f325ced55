// Launches of steps over windows of a text. Where the rows of a block's warps would not fit into its shared memory, the warps are
// spread over more blocks.
#pragma once

#include "kernels/cuda/batches/group_batches.cuh"
#include "kernels/cuda/batches/window_batch.cuh"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/launches/launcher.cuh"
#include "kernels/cuda/memory/warps_that_fit.cuh"
#include "kernels/cuda/windows/window_steps.cuh"
#include "kernels/problem.h"

namespace hogwild::device {

template <>
struct Launcher<TokenWindows> {
    template <class Problem, Scope S, class Update, class Probe>
    static cudaError_t steps(const DevicePass& given, LaunchShape shape, cudaStream_t stream) {
        const PassOver<TokensView> pass(given);
        const std::uint32_t dim = pass.data.model.dim;
        if (dim % FourFloats::kFloats != 0)
            return launch<WarpWindowGradient<OneFloat, 16, 2>, Problem, S, Update, Probe>(pass, shape, stream);
        if (dim <= 128)
            return launch<WarpWindowGradient<FourFloats, 1, 6>, Problem, S, Update, Probe>(pass, shape, stream);
        return launch<WarpWindowGradient<FourFloats, 4, 2>, Problem, S, Update, Probe>(pass, shape, stream);
    }

    /// A lane holds single floats: then a warp adds to neighbouring sums (kernels/cuda/batches/pair_batch.cuh).
    template <class Problem>
    static cudaError_t group_batch(const GroupBatches& run, std::uint32_t number, cudaStream_t stream) {
        if (run.data.as<TokensView>().model.dim <= 128)
            return launch_group_batch<WindowBatch<Problem, WarpWindowGradient<OneFloat, 4, 6>>>(run, number, stream);
        return launch_group_batch<WindowBatch<Problem, WarpWindowGradient<OneFloat, 16, 2>>>(run, number, stream);
    }

private:
    /// Precondition: dim <= 512 (kernels/patterns/window_gradient.h).
    template <class Gradient, class Problem, Scope S, class Update, class Probe>
    static cudaError_t launch(const PassOver<TokensView>& pass, LaunchShape shape, cudaStream_t stream) {
        const auto kernel = window_steps<Gradient, Problem, S, Update, Probe>;
        OwnMemory own{shape.warps};
        if (const cudaError_t fits = fit(own, kernel, window_memory<Gradient>(pass.data.model)); fits != cudaSuccess)
            return fits;
        kernel<<<shape.blocks*(shape.warps / own.warps), own.warps * kWarp, own.bytes, stream>>>(pass);
        return cudaGetLastError();
    }
};

} // namespace hogwild::device
