// Launches of steps over windows of a text. Where the rows of a block's warps would not fit into its shared memory, the warps are
// spread over more blocks.
#pragma once

#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/patterns/launcher.cuh"
#include "kernels/cuda/window_steps.cuh"
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

private:
    /// Precondition: dim <= 512 (kernels/patterns/window_gradient.h).
    template <class Gradient, class Problem, Scope S, class Update, class Probe>
    static cudaError_t launch(const PassOver<TokensView>& pass, LaunchShape shape, cudaStream_t stream) {
        const auto kernel = window_steps<Gradient, Problem, S, Update, Probe>;
        const std::size_t own = window_memory<Gradient>(pass.data.model) * sizeof(float); // of a warp
        int device = 0, most = 0;
        if (const cudaError_t asked = cudaGetDevice(&device); asked != cudaSuccess) return asked;
        const cudaError_t asked = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
        if (asked != cudaSuccess) return asked;
        unsigned warps = shape.warps; // of a block
        while (warps > 1 && (shape.warps % warps != 0 || warps * own > static_cast<std::size_t>(most))) --warps;
        const cudaError_t allowed =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(warps * own));
        if (allowed != cudaSuccess) return allowed;
        kernel<<<shape.blocks*(shape.warps / warps), warps * kWarp, warps * own, stream>>>(pass);
        return cudaGetLastError();
    }
};

} // namespace hogwild::device
