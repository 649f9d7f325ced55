// Launches of steps over sparse rows. Where every row holds every column, the kernel for dense rows takes them. Where
// the hottest coordinates are copied, the kernel with such copies does.
#pragma once

#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/launches/launcher.cuh"
#include "kernels/cuda/rows/dense_steps.cuh"
#include "kernels/cuda/rows/sparse_steps.cuh"
#include "kernels/problem.h"

namespace hogwild::device {

template <>
struct Launcher<SparseRows> {
    template <class Problem, Scope S, class Update, class Probe>
    static cudaError_t steps(const DevicePass& given, LaunchShape shape, cudaStream_t stream) {
        const PassOver<SparseView> pass(given);
        if (pass.exchange.hot == 0) {
            const auto kernel = !given.dense          ? sparse_steps<Problem, S, Update, Probe>
                                : by_fours(pass.data) ? dense_steps<DenseRow<FourFloats, 2>, Problem, S, Update, Probe>
                                                      : dense_steps<DenseRow<OneFloat, 4>, Problem, S, Update, Probe>;
            kernel<<<shape.blocks, shape.warps * kWarp, 0, stream>>>(pass);
            return cudaGetLastError();
        }
        return launch_with_copies(sparse_steps_hot<Problem, S, Update, Probe>, pass, shape, stream);
    }
};

} // namespace hogwild::device
